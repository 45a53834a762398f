package io.lakestream.spark.lake;

import java.io.Serializable;

/** A file of the lake: its full path and its length in bytes. */
public record LakeFile(String path, long length) implements Serializable {}

package io.lakestream.spark.types;

import java.io.Serializable;

/**
 * One declared column of a table.
 *
 * @param name the name as declared, case kept
 * @param type the declared type
 * @param comment the comment, or null
 */
public record TableColumn(String name, LogicalType type, String comment) implements Serializable {}

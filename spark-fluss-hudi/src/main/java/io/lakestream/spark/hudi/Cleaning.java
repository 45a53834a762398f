package io.lakestream.spark.hudi;

import java.util.List;
import java.util.Map;

/**
 * A cleaning that has removed, or may be removing, files of older slices.
 *
 * @param instant its requested time
 * @param earliestRetained the oldest instant whose files it keeps, or null if it does not count by
 *     instants
 * @param deletedFiles the paths or names of the deleted files by partition folder
 */
record Cleaning(String instant, String earliestRetained, Map<String, List<String>> deletedFiles) {}

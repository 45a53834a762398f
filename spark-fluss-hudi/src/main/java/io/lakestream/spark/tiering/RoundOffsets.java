package io.lakestream.spark.tiering;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lakestream.spark.log.LogBucket;
import java.util.Map;
import java.util.TreeMap;

/**
 * The offsets that a round's instant carries in its metadata: versioned JSON, for example {@code
 * {"version":1,"table_id":7,"buckets":[{"partition_id":3,"bucket":0,"offset":42}]}}; {@code
 * partition_id} is absent on unpartitioned tables. Fluss's own offsets files (FIP-24) can be read
 * as well; there the position in {@code bucket_offsets} is the bucket, and a negative number marks
 * a bucket that was never tiered.
 *
 * @param tableId the id that the cluster gave to the table
 * @param offsets per bucket the exclusive end of what the lake holds
 */
record RoundOffsets(long tableId, Map<LogBucket, Long> offsets) {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  RoundOffsets {
    offsets = Map.copyOf(offsets);
  }

  String toJson() {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", VERSION);
    root.put("table_id", tableId);
    ArrayNode buckets = root.putArray("buckets");
    new TreeMap<>(offsets)
        .forEach(
            (bucket, offset) -> {
              ObjectNode entry = buckets.addObject();
              if (bucket.partitionId() != null) {
                entry.put("partition_id", bucket.partitionId());
              }
              entry.put("bucket", bucket.bucket());
              entry.put("offset", offset);
            });
    return root.toString();
  }

  /** Reads what {@link #toJson} wrote. */
  static RoundOffsets parse(String json) {
    JsonNode root = tree(json);
    Map<LogBucket, Long> offsets = new TreeMap<>();
    for (JsonNode entry : root.required("buckets")) {
      JsonNode partition = entry.get("partition_id");
      offsets.put(
          new LogBucket(
              partition == null ? null : partition.longValue(),
              entry.required("bucket").intValue()),
          entry.required("offset").longValue());
    }
    return new RoundOffsets(root.required("table_id").longValue(), offsets);
  }

  /** Reads an offsets file that Fluss wrote. */
  static RoundOffsets parseFlussFile(String json) {
    JsonNode root = tree(json);
    Map<LogBucket, Long> offsets = new TreeMap<>();
    putAll(offsets, null, root.get("bucket_offsets"));
    JsonNode partitions = root.get("partition_offsets");
    if (partitions != null) {
      for (JsonNode partition : partitions) {
        putAll(
            offsets,
            partition.required("partition_id").longValue(),
            partition.get("bucket_offsets"));
      }
    }
    return new RoundOffsets(root.required("table_id").longValue(), offsets);
  }

  private static void putAll(Map<LogBucket, Long> offsets, Long partitionId, JsonNode ends) {
    if (ends == null) {
      return;
    }
    for (int bucket = 0; bucket < ends.size(); bucket++) {
      long end = ends.get(bucket).longValue();
      if (end >= 0) {
        offsets.put(new LogBucket(partitionId, bucket), end);
      }
    }
  }

  private static JsonNode tree(String json) {
    try {
      JsonNode root = JSON.readTree(json);
      int version = root.required("version").intValue();
      if (version != VERSION) {
        throw new IllegalArgumentException("offsets of version " + version + ": " + json);
      }
      return root;
    } catch (JsonProcessingException failure) {
      throw new IllegalArgumentException("not the JSON of offsets: " + json, failure);
    }
  }
}

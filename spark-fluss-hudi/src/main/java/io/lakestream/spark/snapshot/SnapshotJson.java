package io.lakestream.spark.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.TablePath;
import java.util.ArrayList;
import java.util.List;

/**
 * The written form of a {@link UnionSnapshot}, a <em>pin</em>. It carries a version: a reader
 * refuses versions that it does not know instead of guessing.
 */
public final class SnapshotJson {
  /** The version that is written of a snapshot without key snapshots. */
  public static final int VERSION = 1;

  /** The version that is written of others: readers that know no key snapshots must refuse it. */
  private static final int KEY_SNAPSHOT_VERSION = 2;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SnapshotJson() {}

  /** One line of JSON. */
  public static String write(UnionSnapshot snapshot) {
    ObjectNode root = MAPPER.createObjectNode();
    boolean keySnapshots = snapshot.tails().stream().anyMatch(tail -> tail.keySnapshot() != null);
    root.put("version", keySnapshots ? KEY_SNAPSHOT_VERSION : VERSION);
    root.put("table", snapshot.table().toString());
    root.put("tableId", snapshot.tableId());
    root.put("schemaId", snapshot.schemaId());
    root.put("lakePath", snapshot.lakePath());
    root.put("instant", snapshot.instant());
    root.put("lostRows", snapshot.lostRows());
    ArrayNode tails = root.putArray("tails");
    for (BucketTail tail : snapshot.tails()) {
      ObjectNode node = tails.addObject();
      if (tail.bucket().partitionId() != null) {
        node.put("partitionId", tail.bucket().partitionId());
        node.put("partition", tail.partitionName());
      }
      node.put("bucket", tail.bucket().bucket());
      node.put("start", tail.start());
      node.put("stop", tail.stop());
      if (tail.keySnapshot() != null) {
        node.put("keySnapshot", tail.keySnapshot());
      }
    }
    return root.toString();
  }

  /**
   * Reads a pin. The typed partition values are not part of it: they come back as {@link
   * PartitionKey#NONE} and are filled in from the table's partitions by the resolver.
   *
   * @throws LakestreamException {@code INVALID_PIN}
   */
  static UnionSnapshot read(TablePath table, String json) {
    JsonNode root;
    try {
      root = MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw invalid(table, "it is not JSON: " + e.getOriginalMessage() + ".", e);
    }
    int version = root.path("version").asInt(-1);
    if (version != VERSION && version != KEY_SNAPSHOT_VERSION) {
      throw invalid(
          table,
          "it has the version "
              + root.path("version")
              + ", known are "
              + VERSION
              + " and "
              + KEY_SNAPSHOT_VERSION
              + ".",
          null);
    }
    String[] name = text(table, root, "table").split("\\.", 2);
    if (name.length != 2) {
      throw invalid(table, "it names the table " + root.path("table") + ".", null);
    }
    List<BucketTail> tails = new ArrayList<>();
    for (JsonNode node : required(table, root, "tails")) {
      tails.add(tail(table, node));
    }
    return new UnionSnapshot(
        new TablePath(name[0], name[1]),
        number(table, root, "tableId"),
        (int) number(table, root, "schemaId"),
        root.path("lakePath").textValue(),
        root.path("instant").textValue(),
        tails,
        root.path("lostRows").asLong());
  }

  private static BucketTail tail(TablePath table, JsonNode node) {
    Long partitionId = node.has("partitionId") ? number(table, node, "partitionId") : null;
    long start = number(table, node, "start");
    long stop = number(table, node, "stop");
    if (start < 0 || stop < start) {
      throw invalid(table, "it has the offset range [" + start + ", " + stop + ").", null);
    }
    return new BucketTail(
        new LogBucket(partitionId, (int) number(table, node, "bucket")),
        node.path("partition").textValue(),
        PartitionKey.NONE,
        start,
        stop,
        node.has("keySnapshot") ? number(table, node, "keySnapshot") : null);
  }

  private static JsonNode required(TablePath table, JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      throw invalid(table, "it lacks the field '" + field + "'.", null);
    }
    return value;
  }

  private static String text(TablePath table, JsonNode node, String field) {
    return required(table, node, field).asText();
  }

  private static long number(TablePath table, JsonNode node, String field) {
    JsonNode value = required(table, node, field);
    if (!value.isIntegralNumber()) {
      throw invalid(table, "its field '" + field + "' is " + value + ", not a number.", null);
    }
    return value.longValue();
  }

  private static LakestreamException invalid(TablePath table, String problem, Throwable cause) {
    return LakestreamException.of(
        ErrorCode.INVALID_PIN,
        table,
        "the snapshot pin cannot be used, " + problem,
        "Give a pin that a read of this table has written.",
        cause);
  }
}

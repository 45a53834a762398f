package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.types.DataTypes;

/**
 * Creates a table and returns when rows can be written to it. The coordinator of Fluss 0.9.1 learns
 * of a new table later than the client, and has two faults about it:
 *
 * <ul>
 *   <li>It may overlook the creation (it waits for two changes of one ZooKeeper node, and may see
 *       them as one). The table never gets leaders then, and writes wait for ever. It is empty, so
 *       it is dropped and created again.
 *   <li>If a partition is created before it knows the table, no table of the cluster gets leaders
 *       any more until it is restarted. It learns of tables in the order of their creation, so
 *       after a partitioned table another small one is created, and dropped when it is served.
 * </ul>
 */
final class TableCreation {
  private static final int ATTEMPTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String MARKER_PREFIX = "lakestream_marker_";

  private final Requests requests;
  private final TablePath table;
  private final org.apache.fluss.metadata.TablePath path;
  private final TableDescriptor descriptor;

  TableCreation(Requests requests, TablePath table, TableDescriptor descriptor) {
    this.requests = requests;
    this.table = table;
    this.path = FlussTables.path(table);
    this.descriptor = descriptor;
  }

  void run() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      requests.async(
          table, "create the table", c -> c.getAdmin().createTable(path, descriptor, false));
      if (descriptor.isPartitioned()) {
        awaitEarlierTables();
        return;
      }
      if (requests.blocking(table, "wait for the table's leaders", this::isServed)) {
        return;
      }
      drop();
    }
    throw LakestreamException.of(
        ErrorCode.REQUEST_FAILED,
        table,
        "the table was created " + ATTEMPTS + " times and never got leaders for its buckets.",
        "Check that the coordinator and the tablet servers run.");
  }

  private void awaitEarlierTables() {
    TablePath marker =
        new TablePath(
            table.database(), MARKER_PREFIX + UUID.randomUUID().toString().replace("-", ""));
    TableCreation later =
        new TableCreation(
            requests,
            marker,
            TableDescriptor.builder()
                .schema(Schema.newBuilder().column("id", DataTypes.INT()).build())
                .distributedBy(1)
                .build());
    later.run();
    later.drop();
  }

  private void drop() {
    requests.async(table, "drop the table", c -> c.getAdmin().dropTable(path, true));
  }

  private boolean isServed(FlussConnection connection) throws Exception {
    Admin admin = connection.getAdmin();
    int count = admin.getTableInfo(path).get().getNumBuckets();
    List<Integer> buckets = IntStream.range(0, count).boxed().toList();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      try {
        admin.listOffsets(path, buckets, new OffsetSpec.LatestSpec()).all().get();
        return true;
      } catch (ExecutionException | FlussRuntimeException e) {
        // There is no leader yet.
        Thread.sleep(PAUSE.toMillis());
      }
    }
    return false;
  }
}

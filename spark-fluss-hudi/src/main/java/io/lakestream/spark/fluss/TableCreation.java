package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;

/**
 * Creates a table and returns when it is served. The coordinator of Fluss 0.9 may miss a creation:
 * it learns of it from two changes of one ZooKeeper node and overlooks both if it sees them as one
 * (mended after 0.9.1). Such a table never gets leaders and every write to it waits for ever. It is
 * empty then, so it is dropped and created again.
 */
final class TableCreation {
  private static final int ATTEMPTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Requests requests;
  private final TablePath table;
  private final TableDescriptor descriptor;

  TableCreation(Requests requests, TablePath table, TableDescriptor descriptor) {
    this.requests = requests;
    this.table = table;
    this.descriptor = descriptor;
  }

  void run() {
    org.apache.fluss.metadata.TablePath path = FlussTables.path(table);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      requests.async(
          table, "create the table", c -> c.getAdmin().createTable(path, descriptor, false));
      // Partitions have leaders of their own, and come later.
      if (descriptor.isPartitioned()
          || requests.blocking(table, "wait for the table's leaders", this::isServed)) {
        return;
      }
      requests.async(
          table, "drop a table without leaders", c -> c.getAdmin().dropTable(path, false));
    }
    throw LakestreamException.of(
        ErrorCode.REQUEST_FAILED,
        table,
        "the table was created " + ATTEMPTS + " times and never got leaders for its buckets.",
        "Check that the coordinator and the tablet servers run.");
  }

  private boolean isServed(FlussConnection connection) throws Exception {
    Admin admin = connection.getAdmin();
    org.apache.fluss.metadata.TablePath path = FlussTables.path(table);
    TableInfo info = admin.getTableInfo(path).get();
    List<Integer> buckets = IntStream.range(0, info.getNumBuckets()).boxed().toList();
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

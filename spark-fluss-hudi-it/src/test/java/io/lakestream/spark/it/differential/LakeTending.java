package io.lakestream.spark.it.differential;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.HudiServices;
import io.lakestream.spark.it.harness.TestTable;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/** Runs services on the lake of a table; those that cannot be run at the moment are passed over. */
final class LakeTending {
  private final SparkSession session;
  private final TestTable table;
  private final boolean keyed;
  private final HudiServices hudi;
  private Optional<String> planned = Optional.empty();
  private boolean begun;
  private boolean tiered;

  LakeTending(Environment environment, TestTable table, boolean keyed) {
    this.session = environment.spark();
    this.table = table;
    this.keyed = keyed;
    this.hudi = HudiServices.of(environment, table);
  }

  /** Whether there is a lake. */
  boolean isTiered() {
    return tiered;
  }

  void tier() {
    tiered |= table.tier().isPresent();
  }

  void run(LakeService service) {
    if (service == LakeService.TIER) {
      tier();
    } else if (tiered) {
      tend(service);
    }
  }

  private void tend(LakeService service) {
    switch (service) {
      case REWRITE -> rewrite();
      case CLEAN -> LakestreamTiering.clean(session, Environment.CATALOG, table.path());
      case PLAN_REWRITE_BY_HUDI -> {
        if (planned.isEmpty()) {
          planned = keyed ? hudi.scheduleCompaction() : hudi.scheduleClustering();
        }
      }
      case BEGIN_REWRITE_BY_HUDI -> {
        if (keyed && planned.isPresent() && !begun) {
          hudi.beginCompaction(planned.get());
          begun = true;
        }
      }
      case FINISH_REWRITE_BY_HUDI -> finish();
      case CLEAN_BY_HUDI -> hudi.clean();
      case ARCHIVE_BY_HUDI -> hudi.archive();
      default -> throw new IllegalArgumentException(service.name());
    }
  }

  /** What others have planned, and what they have begun above all, is theirs to finish. */
  private void rewrite() {
    if (!keyed || begun) {
      finish();
    }
    if (keyed) {
      table.compact();
      planned = Optional.empty();
    } else {
      LakestreamTiering.cluster(session, Environment.CATALOG, table.path());
    }
  }

  private void finish() {
    if (keyed) {
      planned.ifPresent(hudi::compact);
    } else {
      planned.ifPresent(hudi::cluster);
    }
    planned = Optional.empty();
    begun = false;
  }
}

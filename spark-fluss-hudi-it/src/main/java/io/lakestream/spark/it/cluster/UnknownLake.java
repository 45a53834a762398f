package io.lakestream.spark.it.cluster;

import java.util.List;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.lake.lakestorage.LakeCatalog;
import org.apache.fluss.lake.lakestorage.LakeStorage;
import org.apache.fluss.lake.lakestorage.LakeStoragePlugin;
import org.apache.fluss.lake.source.LakeSource;
import org.apache.fluss.lake.writer.LakeTieringFactory;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;

/**
 * A lake of which the servers know nothing but its name. With it a coordinator schedules the
 * tiering of tables with {@code table.datalake.enabled=true}, and leaves all else to whoever tiers
 * them. Servers of 0.9 accept few names, and Hudi's is not among them.
 */
public final class UnknownLake implements LakeStoragePlugin {
  /** What {@code datalake.format} of a cluster has to be. */
  public static final String NAME = "paimon";

  @Override
  public String identifier() {
    return NAME;
  }

  @Override
  public LakeStorage createLakeStorage(Configuration configuration) {
    return new Storage();
  }

  private static final class Storage implements LakeStorage {
    @Override
    public LakeTieringFactory<?, ?> createLakeTieringFactory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public LakeCatalog createLakeCatalog() {
      return new Catalog();
    }

    @Override
    public LakeSource<?> createLakeSource(TablePath path) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Catalog implements LakeCatalog {
    @Override
    public void createTable(TablePath path, TableDescriptor table, Context context) {
      // Whoever tiers the table makes its lake.
    }

    @Override
    public void alterTable(TablePath path, List<TableChange> changes, Context context) {
      // Whoever tiers the table changes its lake.
    }
  }
}

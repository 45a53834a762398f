package io.lakestream.spark.hudi;

import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.avro.model.HoodieClusteringGroup;
import org.apache.hudi.avro.model.HoodieClusteringPlan;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.data.HoodieData;
import org.apache.hudi.common.engine.HoodieEngineContext;
import org.apache.hudi.common.model.HoodieKey;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.data.HoodieJavaRDD;
import org.apache.hudi.table.HoodieTable;
import org.apache.hudi.table.action.HoodieWriteMetadata;
import org.apache.hudi.table.action.cluster.strategy.ClusteringExecutionStrategy;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Carries out a clustering plan with one task and one new file for each of its groups. Public only
 * because Hudi makes it by its name.
 */
public final class BucketClusteringStrategy<T>
    extends ClusteringExecutionStrategy<
        T, HoodieData<HoodieRecord<T>>, HoodieData<HoodieKey>, HoodieData<WriteStatus>> {
  private static final long serialVersionUID = 1L;
  private static final String TABLE = "lakestream.clustering.table";
  private static final String SCHEMA = "lakestream.clustering.schema";

  public BucketClusteringStrategy(
      HoodieTable<?, ?, ?, ?> table, HoodieEngineContext context, HoodieWriteConfig config) {
    super(table, context, config);
  }

  /** The options of a write client that carries out plans in this way. */
  static Map<String, String> options(TablePath table, TableSchema schema) {
    Map<String, String> options = new HashMap<>();
    options.put(
        "hoodie.clustering.execution.strategy.class", BucketClusteringStrategy.class.getName());
    // Hudi refuses to cluster under its bucket index, for which its own clustering is not made.
    options.put("hoodie.index.type", "SIMPLE");
    options.put("hoodie.storage.layout.type", "DEFAULT");
    options.put(TABLE, write(table));
    options.put(SCHEMA, write(schema));
    return options;
  }

  private static String write(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
      output.writeObject(value);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private Object read(String option) {
    byte[] bytes = Base64.getDecoder().decode(getWriteConfig().getProps().getString(option));
    try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return input.readObject();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (ClassNotFoundException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Override
  public HoodieWriteMetadata<HoodieData<WriteStatus>> performClustering(
      HoodieClusteringPlan plan, Schema schema, String instant) {
    ArrayList<MergedFile> files = new ArrayList<>();
    for (HoodieClusteringGroup group : plan.getInputGroups()) {
      files.add(MergedFile.of(files.size(), group.getSlices()));
    }
    Configuration hadoop = getHoodieTable().getStorageConf().unwrapAs(Configuration.class);
    FileMerger merger =
        new FileMerger(
            (TablePath) read(TABLE), (TableSchema) read(SCHEMA), getWriteConfig(), instant, hadoop);
    JavaSparkContext spark = HoodieSparkEngineContext.getSparkContext(getEngineContext());
    List<Integer> indexes = IntStream.range(0, files.size()).boxed().toList();
    HoodieWriteMetadata<HoodieData<WriteStatus>> result = new HoodieWriteMetadata<>();
    // The files travel in the closure: Spark may be set to a serializer that cannot take records.
    result.setWriteStatuses(
        HoodieJavaRDD.of(
            spark.parallelize(indexes, files.size()).map(index -> merger.merge(files.get(index)))));
    return result;
  }
}

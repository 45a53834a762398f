package io.lakestream.spark.tiering;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeWriteResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils;

/**
 * Runs a round as one Spark job with a Spark task for each of the round's tasks: one per bucket, or
 * several per bucket of a log table. Tasks and results travel in Java's serialization, because
 * Kryo, which Hudi asks Spark users to configure, cannot hold records. Thread-safe.
 */
public final class SparkRoundExecutor implements RoundExecutor {
  private final JavaSparkContext context;

  public SparkRoundExecutor(SparkSession session) {
    this.context = JavaSparkContext.fromSparkContext(session.sparkContext());
  }

  @Override
  public int parallelism() {
    return Math.max(1, context.defaultParallelism());
  }

  @Override
  public List<LakeWriteResult> run(List<BucketTask> tasks) {
    if (tasks.isEmpty()) {
      return List.of();
    }
    List<byte[]> shipped = tasks.stream().map(SparkRoundExecutor::serialize).toList();
    try {
      return context
          .parallelize(shipped, shipped.size())
          .map(bytes -> serialize(((BucketTask) deserialize(bytes)).run()))
          .collect()
          .stream()
          .map(bytes -> (LakeWriteResult) deserialize(bytes))
          .toList();
    } catch (Exception failure) {
      // Scala throws SparkException, a checked exception, undeclared; its cause is the task's.
      if (failure instanceof SparkException
          && failure.getCause() instanceof LakestreamException own) {
        throw own;
      }
      throw failure instanceof RuntimeException unchecked
          ? unchecked
          : new IllegalStateException(failure);
    }
  }

  private static byte[] serialize(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
      output.writeObject(value);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return bytes.toByteArray();
  }

  private static Object deserialize(byte[] bytes) {
    return Utils.deserialize(bytes, Utils.getContextOrSparkClassLoader());
  }
}

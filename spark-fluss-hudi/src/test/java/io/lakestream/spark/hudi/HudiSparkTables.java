package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Writes small Hudi tables with Hudi's own Spark writer, and opens them as lake tables. */
final class HudiSparkTables implements AutoCloseable {
  static final TablePath TABLE = new TablePath("db", "t");

  private final SparkSession spark;

  HudiSparkTables() {
    spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.sql.extensions", "org.apache.spark.sql.hudi.HoodieSparkSessionExtension")
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
  }

  SparkSession spark() {
    return spark;
  }

  /** A query's rows, to be written. */
  Dataset<Row> rows(String sql) {
    return spark.sql(sql);
  }

  /** A table under construction. */
  Table table(Path path, String type) {
    return new Table(path, type);
  }

  /** One table and its write options. */
  final class Table {
    private final Path path;
    private final Map<String, String> options = new HashMap<>();

    private Table(Path path, String type) {
      this.path = path;
      options.put("hoodie.table.name", "t");
      options.put("hoodie.datasource.write.table.type", type);
      options.put("hoodie.datasource.write.recordkey.field", "id");
      options.put("hoodie.datasource.write.partitionpath.field", "");
      options.put("hoodie.index.type", "BUCKET");
      options.put("hoodie.bucket.index.num.buckets", "2");
      options.put("hoodie.metadata.enable", "false");
      options.put("hoodie.clean.automatic", "false");
      options.put("hoodie.archive.automatic", "false");
      options.put("hoodie.compact.inline", "false");
      options.put("hoodie.parquet.small.file.limit", "0");
      options.put("hoodie.upsert.shuffle.parallelism", "1");
      options.put("hoodie.insert.shuffle.parallelism", "1");
      options.put("hoodie.bulkinsert.shuffle.parallelism", "1");
    }

    Path path() {
      return path;
    }

    Table with(String key, String value) {
      options.put(key, value);
      return this;
    }

    /** Writes rows as one commit. */
    Table write(String operation, Dataset<Row> rows) {
      rows.write()
          .format("hudi")
          .options(options)
          .option("hoodie.datasource.write.operation", operation)
          .mode(SaveMode.Append)
          .save(path.toString());
      return this;
    }

    Table upsert(String sql) {
      return write("upsert", rows(sql));
    }

    Table insert(String sql) {
      return write("insert", rows(sql));
    }

    Table delete(String sql) {
      return write("delete", rows(sql));
    }

    /** Calls one of Hudi's procedures on the table. */
    void call(String procedure, String arguments) {
      spark.sql("call " + procedure + "(path => '" + path + "', " + arguments + ")").collect();
    }

    LakeTable open(TableSchema schema, String... partitionColumns) {
      return open(Configuration::new, path.toString(), schema, partitionColumns);
    }

    LakeTable open(
        Supplier<Configuration> conf,
        String location,
        TableSchema schema,
        String... partitionColumns) {
      return new HudiLakeCatalog(conf).open(TABLE, location, schema, List.of(partitionColumns), 2);
    }

    /** The completed instants' requested times by action, oldest first. */
    List<String> instants(String action) {
      try (Stream<Path> files = Files.list(path.resolve(".hoodie/timeline"))) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.matches("\\d+_\\d+\\." + action))
            .map(name -> name.substring(0, name.indexOf('_')))
            .sorted()
            .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The data files, relative to the table. */
    List<Path> dataFiles(String pattern) {
      try (Stream<Path> files = Files.walk(path)) {
        return files
            .filter(file -> !file.toString().contains("/.hoodie/"))
            .filter(file -> file.getFileName().toString().matches(pattern))
            .sorted()
            .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A schema from pairs of name and type. */
  static TableSchema schema(String... namesAndTypes) {
    List<TableColumn> columns = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      columns.add(
          new TableColumn(namesAndTypes[i], DeclaredTypes.parse(namesAndTypes[i + 1]), null));
    }
    return new TableSchema(columns);
  }

  @Override
  public void close() {
    spark.stop();
  }
}

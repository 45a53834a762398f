package io.lakestream.spark.hudi;

import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.Decoder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Turns Avro-encoded records into Spark's internal rows. It reads by the schema that the records
 * were written with, so that units and decimal layouts are the writer's own, keeps the wanted
 * columns, skips the others and stops after the last wanted one; a wanted column that the writer
 * did not have is null. Not thread-safe.
 */
final class AvroRowDecoder {
  /** What to do with one field of the written record; no reader means to skip it. */
  private record Step(int target, AvroValueReader reader, Schema schema) {}

  private final int width;
  private final List<Step> steps = new ArrayList<>();

  /**
   * @param written the record schema that the records were written with
   * @param wanted the wanted columns, possibly pruned inside structs
   * @param declared the declared columns; every wanted one is among them
   * @throws IllegalArgumentException if the written type of a wanted column is not what its
   *     declared type is stored as; the message names the column and both types
   */
  AvroRowDecoder(Schema written, StructType wanted, TableSchema declared) {
    this.width = wanted.size();
    List<String> names = List.of(wanted.fieldNames());
    int last = 0;
    for (Schema.Field field : written.getFields()) {
      int target = names.indexOf(field.name());
      AvroValueReader reader =
          target < 0
              ? null
              : AvroValueReader.of(
                  field.name(),
                  field.schema(),
                  declared.column(field.name()).type(),
                  wanted.apply(target).dataType());
      steps.add(new Step(target, reader, field.schema()));
      if (target >= 0) {
        last = steps.size();
      }
    }
    steps.subList(last, steps.size()).clear();
  }

  /** Reads one record; what follows the last wanted column is left unread. */
  InternalRow decode(Decoder in) throws IOException {
    GenericInternalRow row = new GenericInternalRow(width);
    for (Step step : steps) {
      if (step.reader() == null) {
        GenericDatumReader.skip(step.schema(), in);
      } else {
        row.update(step.target(), step.reader().read(in));
      }
    }
    return row;
  }
}

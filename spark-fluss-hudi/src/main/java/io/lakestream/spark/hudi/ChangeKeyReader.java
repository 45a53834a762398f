package io.lakestream.spark.hudi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.Decoder;
import org.apache.hudi.common.model.HoodieOperation;
import org.apache.hudi.common.model.HoodieRecord;

/**
 * Reads of a logged record only what says which key it changes and how; the fields after those are
 * left unread. Not thread-safe.
 */
final class ChangeKeyReader {
  private static final String KEY = HoodieRecord.RECORD_KEY_METADATA_FIELD;
  private static final String OPERATION = HoodieRecord.OPERATION_METADATA_FIELD;
  private static final String IS_DELETED = HoodieRecord.HOODIE_IS_DELETED_FIELD;

  /** What a logged record does. */
  enum Effect {
    PUT,
    DELETE,
    /** A before-image: the row as it was, which changes nothing. */
    NONE
  }

  private final List<Schema.Field> fields;
  private final GenericDatumReader<Object>[] readers;
  private String key;
  private Effect effect;

  /**
   * @throws IllegalArgumentException if records of the schema carry no record key
   */
  ChangeKeyReader(Schema written) {
    if (written.getField(KEY) == null) {
      throw new IllegalArgumentException("log records without the column " + KEY);
    }
    int end = 0;
    for (Schema.Field field : written.getFields()) {
      if (isWanted(field)) {
        end = field.pos() + 1;
      }
    }
    this.fields = new ArrayList<>(written.getFields().subList(0, end));
    this.readers = newReaders(fields);
  }

  /** Reads the next record's key and effect. */
  void read(Decoder in) throws IOException {
    key = null;
    effect = Effect.PUT;
    for (int i = 0; i < readers.length; i++) {
      if (readers[i] == null) {
        GenericDatumReader.skip(fields.get(i).schema(), in);
        continue;
      }
      Object value = readers[i].read(null, in);
      if (value != null) {
        take(fields.get(i).name(), value);
      }
    }
    if (key == null) {
      throw new IOException("log record without a record key");
    }
  }

  String key() {
    return key;
  }

  Effect effect() {
    return effect;
  }

  private void take(String name, Object value) {
    if (name.equals(KEY)) {
      key = value.toString();
    } else if (name.equals(OPERATION)) {
      String operation = value.toString();
      if (operation.equals(HoodieOperation.DELETE.getName())) {
        effect = Effect.DELETE;
      } else if (operation.equals(HoodieOperation.UPDATE_BEFORE.getName())) {
        effect = Effect.NONE;
      }
    } else if (Boolean.TRUE.equals(value)) {
      effect = Effect.DELETE;
    }
  }

  private static boolean isWanted(Schema.Field field) {
    return field.name().equals(KEY)
        || field.name().equals(OPERATION)
        || field.name().equals(IS_DELETED);
  }

  @SuppressWarnings("unchecked")
  private static GenericDatumReader<Object>[] newReaders(List<Schema.Field> fields) {
    GenericDatumReader<Object>[] result = new GenericDatumReader[fields.size()];
    for (int i = 0; i < result.length; i++) {
      if (isWanted(fields.get(i))) {
        result[i] = new GenericDatumReader<>(fields.get(i).schema());
      }
    }
    return result;
  }
}

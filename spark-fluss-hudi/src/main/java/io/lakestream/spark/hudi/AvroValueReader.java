package io.lakestream.spark.hudi;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Scalar;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads one Avro-encoded value as Spark's internal value of its declared type. */
interface AvroValueReader {
  long MICROS_PER_MILLI = 1000L;

  Object read(Decoder in) throws IOException;

  /**
   * The reader of a column.
   *
   * @param column for the message
   * @param written how the value was written
   * @param declared its declared type
   * @param wanted its Spark type, which may lack fields of structs
   * @throws IllegalArgumentException if the written type is not what the declared one is stored as
   */
  static AvroValueReader of(String column, Schema written, LogicalType declared, DataType wanted) {
    if (!SchemaAgreement.agrees(declared, written)) {
      throw new IllegalArgumentException(
          "column "
              + column
              + " is declared as "
              + declared
              + " but was written as "
              + SchemaAgreement.spell(written));
    }
    return value(written, declared, wanted);
  }

  private static AvroValueReader value(Schema written, LogicalType declared, DataType wanted) {
    if (written.getType() == Schema.Type.UNION) {
      List<AvroValueReader> branches = new ArrayList<>();
      for (Schema branch : written.getTypes()) {
        branches.add(
            branch.getType() == Schema.Type.NULL ? nothing() : value(branch, declared, wanted));
      }
      return in -> branches.get(in.readIndex()).read(in);
    }
    if (declared instanceof Scalar scalar) {
      return scalar(written, scalar);
    } else if (declared instanceof LogicalType.Array array) {
      return array(
          value(written.getElementType(), array.element(), ((ArrayType) wanted).elementType()));
    } else if (declared instanceof LogicalType.Map map) {
      return map(value(written.getValueType(), map.value(), ((MapType) wanted).valueType()));
    }
    return row(written, (LogicalType.Row) declared, (StructType) wanted);
  }

  private static AvroValueReader nothing() {
    return in -> {
      in.readNull();
      return null;
    };
  }

  private static AvroValueReader scalar(Schema written, Scalar declared) {
    return switch (declared.kind()) {
      case BOOLEAN -> Decoder::readBoolean;
      case TINYINT -> in -> (byte) in.readInt();
      case SMALLINT -> in -> (short) in.readInt();
      case INTEGER, DATE, TIME -> Decoder::readInt;
      case BIGINT -> Decoder::readLong;
      case FLOAT -> Decoder::readFloat;
      case DOUBLE -> Decoder::readDouble;
      case CHAR, STRING -> text();
      case BINARY, BYTES -> bytes(written)::read;
      case DECIMAL -> decimal(written, declared);
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(written);
    };
  }

  private static AvroValueReader text() {
    return in -> {
      Utf8 text = in.readString(null);
      return UTF8String.fromBytes(Arrays.copyOf(text.getBytes(), text.getByteLength()));
    };
  }

  private static BytesReader bytes(Schema written) {
    if (written.getType() == Schema.Type.FIXED) {
      int size = written.getFixedSize();
      return in -> {
        byte[] result = new byte[size];
        in.readFixed(result);
        return result;
      };
    }
    return in -> {
      ByteBuffer buffer = in.readBytes(null);
      byte[] result = new byte[buffer.remaining()];
      buffer.get(result);
      return result;
    };
  }

  private static AvroValueReader decimal(Schema written, Scalar declared) {
    BytesReader bytes = bytes(written);
    int scale = ((LogicalTypes.Decimal) written.getLogicalType()).getScale();
    return in ->
        Decimal.apply(
            new BigDecimal(new BigInteger(bytes.read(in)), scale),
            declared.precision(),
            declared.scale());
  }

  private static AvroValueReader timestamp(Schema written) {
    return SchemaAgreement.logicalName(written).endsWith("-millis")
        ? in -> Math.multiplyExact(in.readLong(), MICROS_PER_MILLI)
        : Decoder::readLong;
  }

  private static AvroValueReader array(AvroValueReader element) {
    return in -> {
      List<Object> values = new ArrayList<>();
      for (long n = in.readArrayStart(); n != 0; n = in.arrayNext()) {
        for (long i = 0; i < n; i++) {
          values.add(element.read(in));
        }
      }
      return new GenericArrayData(values.toArray());
    };
  }

  private static AvroValueReader map(AvroValueReader value) {
    AvroValueReader key = text();
    return in -> {
      List<Object> keys = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      for (long n = in.readMapStart(); n != 0; n = in.mapNext()) {
        for (long i = 0; i < n; i++) {
          keys.add(key.read(in));
          values.add(value.read(in));
        }
      }
      return new ArrayBasedMapData(
          new GenericArrayData(keys.toArray()), new GenericArrayData(values.toArray()));
    };
  }

  private static AvroValueReader row(Schema written, LogicalType.Row declared, StructType wanted) {
    List<String> names = List.of(wanted.fieldNames());
    List<Schema.Field> fields = written.getFields();
    int[] targets = new int[fields.size()];
    AvroValueReader[] readers = new AvroValueReader[fields.size()];
    for (int i = 0; i < targets.length; i++) {
      Schema.Field field = fields.get(i);
      targets[i] = names.indexOf(field.name());
      if (targets[i] >= 0) {
        LogicalType type =
            declared.fields().stream()
                .filter(candidate -> candidate.name().equals(field.name()))
                .findFirst()
                .orElseThrow()
                .type();
        readers[i] = value(field.schema(), type, wanted.apply(targets[i]).dataType());
      }
    }
    return in -> {
      GenericInternalRow row = new GenericInternalRow(names.size());
      for (int i = 0; i < targets.length; i++) {
        if (readers[i] == null) {
          GenericDatumReader.skip(fields.get(i).schema(), in);
        } else {
          row.update(targets[i], readers[i].read(in));
        }
      }
      return row;
    };
  }

  /** Reads bytes, of whichever Avro type. */
  interface BytesReader {
    byte[] read(Decoder in) throws IOException;
  }
}

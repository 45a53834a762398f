package io.lakestream.spark.hudi;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Scalar;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * Reads the footer of a base file and adapts its logical annotations to the declared types.
 *
 * <p>Hudi's Flink writer annotates TIMESTAMP as adjusted to UTC and TIMESTAMP_LTZ as not adjusted,
 * the reverse of what Spark's reader takes them for, and Spark's reader refuses TIME altogether.
 * The stored numbers are the declared values all the same, so only the annotation is replaced; the
 * unit stays the file's own.
 */
final class ParquetFooter {
  private ParquetFooter() {}

  /**
   * The footer with only the row groups whose middle lies in {@code [start, start + length)}, and
   * with annotations that agree with the declared types.
   */
  static ParquetMetadata read(
      Configuration conf, Path path, long start, long length, TableSchema declared)
      throws IOException {
    InputFile file = HadoopInputFile.fromPath(path, conf);
    ParquetReadOptions options =
        HadoopReadOptions.builder(conf, path).withRange(start, start + length).build();
    ParquetMetadata footer;
    try (SeekableInputStream stream = file.newStream()) {
      footer = ParquetFileReader.readFooter(file, options, stream);
    }
    FileMetaData metadata = footer.getFileMetaData();
    FileMetaData adapted =
        new FileMetaData(
            adapt(metadata.getSchema(), declared),
            metadata.getKeyValueMetaData(),
            metadata.getCreatedBy());
    return new ParquetMetadata(adapted, footer.getBlocks());
  }

  /** The number of rows in a footer's row groups. */
  static long rowCount(ParquetMetadata footer) {
    return footer.getBlocks().stream().mapToLong(BlockMetaData::getRowCount).sum();
  }

  static MessageType adapt(MessageType schema, TableSchema declared) {
    List<Type> fields = new ArrayList<>();
    for (Type field : schema.getFields()) {
      int index = declared.indexOf(field.getName());
      fields.add(index < 0 ? field : adapt(field, declared.columns().get(index).type()));
    }
    return new MessageType(schema.getName(), fields);
  }

  private static Type adapt(Type type, LogicalType declared) {
    if (declared instanceof Scalar scalar) {
      return type.isPrimitive() ? adaptPrimitive(type.asPrimitiveType(), scalar) : type;
    }
    if (type.isPrimitive()) {
      return type;
    }
    GroupType group = type.asGroupType();
    if (declared instanceof LogicalType.Row row) {
      return group.withNewFields(
          group.getFields().stream().map(field -> adaptField(field, row)).toList());
    }
    if (group.getFieldCount() != 1) {
      return type;
    }
    Type repeated = group.getType(0);
    if (declared instanceof LogicalType.Array array) {
      return group.withNewFields(adaptRepeated(group, repeated, array.element()));
    }
    LogicalType.Map map = (LogicalType.Map) declared;
    if (repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 2) {
      return type;
    }
    GroupType entry = repeated.asGroupType();
    return group.withNewFields(
        entry.withNewFields(
            adapt(entry.getType(0), map.key()), adapt(entry.getType(1), map.value())));
  }

  private static Type adaptField(Type field, LogicalType.Row row) {
    for (LogicalType.Field declared : row.fields()) {
      if (declared.name().equals(field.getName())) {
        return adapt(field, declared.type());
      }
    }
    return field;
  }

  /** Both list layouts: the repeated field is the element (two levels) or wraps it (three). */
  private static Type adaptRepeated(GroupType list, Type repeated, LogicalType element) {
    if (isElement(list, repeated)) {
      return adapt(repeated, element);
    }
    GroupType wrapper = repeated.asGroupType();
    return wrapper.withNewFields(adapt(wrapper.getType(0), element));
  }

  /** The backward-compatibility rules of the Parquet format for lists. */
  private static boolean isElement(GroupType list, Type repeated) {
    return repeated.isPrimitive()
        || repeated.asGroupType().getFieldCount() > 1
        || repeated.getName().equals("array")
        || repeated.getName().equals(list.getName() + "_tuple");
  }

  private static Type adaptPrimitive(PrimitiveType type, Scalar declared) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    return switch (declared.kind()) {
      case TIME -> annotated(type, null);
      case TIMESTAMP -> adjusted(type, annotation, false);
      case TIMESTAMP_LTZ -> adjusted(type, annotation, true);
      default -> type;
    };
  }

  private static Type adjusted(PrimitiveType type, LogicalTypeAnnotation annotation, boolean utc) {
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      return annotated(type, LogicalTypeAnnotation.timestampType(utc, timestamp.getUnit()));
    }
    return type;
  }

  private static Type annotated(PrimitiveType type, LogicalTypeAnnotation annotation) {
    Types.PrimitiveBuilder<PrimitiveType> builder =
        Types.primitive(type.getPrimitiveTypeName(), type.getRepetition()).as(annotation);
    if (type.getId() != null) {
      builder = builder.id(type.getId().intValue());
    }
    return builder.named(type.getName());
  }
}

package io.lakestream.spark.it.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.collection.JavaConverters;

/**
 * The rows of a query in a form that compares by value: bytes as text, nested rows as lists. NaN
 * equals NaN, and 0.0 is not -0.0.
 *
 * @param types names and types of the columns, as Spark spells them
 * @param rows the rows, in the order in which they came
 */
public record Answer(String types, List<List<Object>> rows) {

  public static Answer of(Dataset<Row> query) {
    return new Answer(query.schema().catalogString(), rows(query.collectAsList()));
  }

  public static List<List<Object>> rows(List<Row> rows) {
    return rows.stream().map(Answer::fields).toList();
  }

  private static List<Object> fields(Row row) {
    List<Object> fields = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      fields.add(comparable(row.get(i)));
    }
    return fields;
  }

  private static Object comparable(Object value) {
    if (value instanceof byte[] bytes) {
      return "bytes " + HexFormat.of().formatHex(bytes);
    } else if (value instanceof Row row) {
      return fields(row);
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      return comparable(JavaConverters.mapAsJavaMapConverter(map).asJava());
    } else if (value instanceof scala.collection.Seq<?> items) {
      return comparable(JavaConverters.seqAsJavaListConverter(items).asJava());
    } else if (value instanceof List<?> items) {
      return items.stream().map(Answer::comparable).toList();
    } else if (value instanceof Map<?, ?> map) {
      Map<Object, Object> entries = new HashMap<>();
      map.forEach((key, item) -> entries.put(comparable(key), comparable(item)));
      return entries;
    }
    return value;
  }
}

package io.lakestream.spark.it.differential;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.RowFactory;

/** Types with parts. */
sealed interface NestedType extends ColumnType {
  /** A list of up to three elements. */
  record ArrayOf(ColumnType element) implements NestedType {
    @Override
    public String fluss() {
      return "ARRAY<" + element.fluss() + ">";
    }

    @Override
    public Object draw(Random random) {
      List<Object> items = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        items.add(element.drawOrNull(random));
      }
      return items;
    }

    @Override
    public boolean isComparable() {
      return element.isComparable();
    }

    @Override
    public List<Expression> parts(String expression) {
      List<Expression> parts = new ArrayList<>();
      parts.add(new Expression(expression, this));
      parts.add(new Expression("size(" + expression + ")", ScalarType.INT));
      parts.addAll(element.parts(expression + "[0]"));
      if (element instanceof RowOf row) {
        for (Column field : row.fields()) {
          parts.add(new Expression(expression + "." + field.quoted(), new ArrayOf(field.type())));
        }
      }
      return parts;
    }
  }

  /** A map of up to two entries, whose keys are texts. */
  record MapOf(ColumnType value) implements NestedType {
    private static final List<String> KEYS = List.of("", "a", "Ä b");

    @Override
    public String fluss() {
      return "MAP<STRING, " + value.fluss() + ">";
    }

    @Override
    public Object draw(Random random) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        entries.put(KEYS.get(random.nextInt(KEYS.size())), value.drawOrNull(random));
      }
      return entries;
    }

    @Override
    public boolean isComparable() {
      return false;
    }

    @Override
    public List<Expression> parts(String expression) {
      List<Expression> parts = new ArrayList<>();
      parts.add(new Expression(expression, this));
      parts.add(new Expression("size(" + expression + ")", ScalarType.INT));
      parts.addAll(value.parts(expression + "['a']"));
      return parts;
    }
  }

  /** A row within a row. */
  record RowOf(List<Column> fields) implements NestedType {
    @Override
    public String fluss() {
      return fields.stream().map(Column::fluss).collect(Collectors.joining(", ", "ROW<", ">"));
    }

    @Override
    public Object draw(Random random) {
      return RowFactory.create(
          fields.stream().map(field -> field.type().drawOrNull(random)).toArray());
    }

    @Override
    public boolean isComparable() {
      return fields.stream().allMatch(field -> field.type().isComparable());
    }

    @Override
    public List<Expression> parts(String expression) {
      List<Expression> parts = new ArrayList<>();
      parts.add(new Expression(expression, this));
      for (Column field : fields) {
        parts.addAll(field.type().parts(expression + "." + field.quoted()));
      }
      return parts;
    }
  }
}

package io.lakestream.spark.it.differential;

import java.util.List;

/** A column of a table or a field of a row. */
record Column(String name, ColumnType type) {
  String quoted() {
    return "`" + name + "`";
  }

  String fluss() {
    return quoted() + " " + type.fluss();
  }

  List<Expression> parts() {
    return type.parts(quoted());
  }
}

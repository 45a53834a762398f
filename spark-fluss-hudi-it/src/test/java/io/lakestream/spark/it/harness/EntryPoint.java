package io.lakestream.spark.it.harness;

/** The ways by which a query can name a table. */
public enum EntryPoint {
  /** A table of the catalog. */
  CATALOG {
    @Override
    String relation(TestTable table) {
      return table.sqlName();
    }
  },
  /** A view on {@code format("lakestream")}. */
  FORMAT {
    @Override
    String relation(TestTable table) {
      String view = "view_" + table.path().replace('.', '_');
      table.load().createOrReplaceTempView(view);
      return view;
    }
  },
  /** The catalog's lake-only reading of a table. */
  LAKE_ONLY {
    @Override
    String relation(TestTable table) {
      return table.lakeOnlyName();
    }
  };

  /** What stands for the table in the text of a query. */
  abstract String relation(TestTable table);
}

package io.lakestream.spark.it.tpch;

import io.lakestream.spark.it.harness.TableSpec;
import java.util.List;

/** The tables of TPC-H, with the columns in the specification's order. */
enum TpchTable {
  REGION("r_regionkey INT, r_name STRING, r_comment STRING", 1, "r_regionkey"),
  NATION("n_nationkey INT, n_name STRING, n_regionkey INT, n_comment STRING", 1, "n_nationkey"),
  SUPPLIER(
      "s_suppkey INT, s_name STRING, s_address STRING, s_nationkey INT, s_phone STRING,"
          + " s_acctbal DECIMAL(15,2), s_comment STRING",
      1,
      "s_suppkey"),
  PART(
      "p_partkey INT, p_name STRING, p_mfgr STRING, p_brand STRING, p_type STRING, p_size INT,"
          + " p_container STRING, p_retailprice DECIMAL(15,2), p_comment STRING",
      2,
      "p_partkey"),
  PARTSUPP(
      "ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost DECIMAL(15,2),"
          + " ps_comment STRING",
      2,
      "ps_partkey",
      "ps_suppkey"),
  CUSTOMER(
      "c_custkey INT, c_name STRING, c_address STRING, c_nationkey INT, c_phone STRING,"
          + " c_acctbal DECIMAL(15,2), c_mktsegment STRING, c_comment STRING",
      1,
      "c_custkey"),
  ORDERS(
      "o_orderkey BIGINT, o_custkey INT, o_orderstatus STRING, o_totalprice DECIMAL(15,2),"
          + " o_orderdate DATE, o_orderpriority STRING, o_clerk STRING, o_shippriority INT,"
          + " o_comment STRING",
      2,
      "o_orderkey"),
  LINEITEM(
      "l_orderkey BIGINT, l_partkey INT, l_suppkey INT, l_linenumber INT,"
          + " l_quantity DECIMAL(15,2), l_extendedprice DECIMAL(15,2), l_discount DECIMAL(15,2),"
          + " l_tax DECIMAL(15,2), l_returnflag STRING, l_linestatus STRING, l_shipdate DATE,"
          + " l_commitdate DATE, l_receiptdate DATE, l_shipinstruct STRING, l_shipmode STRING,"
          + " l_comment STRING",
      2,
      "l_orderkey",
      "l_linenumber",
      "l_returnflag") {
    @Override
    TableSpec log() {
      return super.log().partitionedBy("l_returnflag");
    }

    @Override
    TableSpec keyed() {
      return super.keyed().partitionedBy("l_returnflag");
    }
  };

  private final String columns;
  private final int buckets;
  private final String[] key;

  TpchTable(String columns, int buckets, String... key) {
    this.columns = columns;
    this.buckets = buckets;
    this.key = key;
  }

  TableSpec log() {
    return TableSpec.log(columns).buckets(buckets);
  }

  TableSpec keyed() {
    return TableSpec.keyed(columns, key).buckets(buckets);
  }

  /** The positions of the key columns; the first is a number. */
  List<Integer> keyPositions() {
    List<String> names = List.of(keyed().structType().fieldNames());
    return List.of(key).stream().map(names::indexOf).toList();
  }
}

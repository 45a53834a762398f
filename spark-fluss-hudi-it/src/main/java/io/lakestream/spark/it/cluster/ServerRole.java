package io.lakestream.spark.it.cluster;

/** The kinds of processes that make up a Fluss cluster. */
enum ServerRole {
  ZOOKEEPER,
  COORDINATOR,
  TABLET_SERVER
}

package io.lakestream.spark.error;

/** The stable codes of user-facing errors; a code is never renamed or used for something else. */
public enum ErrorCode {
  TABLE_NOT_FOUND("The table does not exist in the Fluss cluster."),
  TABLE_ALREADY_EXISTS("A table of that name exists already."),
  NAMESPACE_NOT_FOUND("The database does not exist in the Fluss cluster."),
  NAMESPACE_NOT_EMPTY("The database still has tables."),
  CLUSTER_UNREACHABLE("The Fluss cluster does not answer at the given address."),
  REQUEST_FAILED("The Fluss cluster answered a request with an error."),
  ACCESS_DENIED("The Fluss cluster does not accept the user, or does not let the user do it."),
  INVALID_OPTION("An option is unknown, missing, or has a value out of its range."),
  INVALID_TABLE_DEFINITION(
      "A CREATE or ALTER TABLE asks for something that Fluss or the lake cannot hold."),
  UNSUPPORTED_TYPE("A column has a type that cannot be read."),
  UNSUPPORTED_OPERATION("The statement is not offered on lakestream tables."),
  LAKE_NOT_CONFIGURED("The table does not say where its lake is."),
  LAKE_NOT_FOUND("There is no Hudi table at the lake path."),
  LAKE_MISMATCH("The lake path belongs to another table."),
  SCHEMA_MISMATCH("The columns of the two tiers disagree."),
  LAKE_SNAPSHOT_GONE("The lake no longer has all files of the wanted instant."),
  LAKE_UNREADABLE("A file or property of the lake cannot be read."),
  LAKE_UNSUPPORTED("The lake uses a Hudi feature under which rows cannot be read exactly."),
  LOG_GAP("Offsets that the query needs are no longer in the log."),
  LOG_STALLED("The log made no progress within the idle time-out."),
  LOG_UNREADABLE("The log cannot be read."),
  INVALID_PIN("A snapshot pin cannot be read, or belongs to another table."),
  TABLE_REPLACED("The table was dropped and created again under the same name."),
  FILE_SYSTEM_MISSING("A file system plug-in that the log needs is not on the class path."),
  WRITE_FAILED("Rows could not be written to Fluss."),
  SPECULATIVE_WRITE("Speculative execution could append rows twice."),
  TIERING_CONFLICT("Another writer changed the lake or the offsets during a tiering round."),
  TIERING_REFUSED("The table cannot be tiered as it is."),
  TIERING_FAILED("A tiering round failed; nothing of it is visible."),
  TIERING_OUTCOME_UNKNOWN(
      "A commit failed and the lake cannot be read; the next round finds out what happened."),
  TIERING_NOT_REPORTED(
      "A tiering round is in the lake, but Fluss could not be told; the next round tells it.");

  private final String summary;

  ErrorCode(String summary) {
    this.summary = summary;
  }

  /** The code as users see it, for example {@code LAKESTREAM_LOG_GAP}. */
  public String code() {
    return "LAKESTREAM_" + name();
  }

  /** One sentence on when this error occurs. */
  public String summary() {
    return summary;
  }
}

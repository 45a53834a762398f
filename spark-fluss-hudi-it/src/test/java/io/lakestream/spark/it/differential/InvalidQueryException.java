package io.lakestream.spark.it.differential;

/** A query that plain Spark refuses: drawn badly, or of a column that its history has not. */
final class InvalidQueryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidQueryException(Query query, Throwable cause) {
    super("plain Spark refuses " + query, cause);
  }
}

package io.lakestream.spark.error;

/**
 * An error that a user can act on. The message names the code, the table first, then the problem
 * with the offending value, then what to do.
 */
public final class LakestreamException extends RuntimeException {
  private final ErrorCode code;

  private LakestreamException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * Makes an error.
   *
   * @param subject what it is about, the table as {@code db.table} where there is one
   * @param problem what is wrong and why, with the offending value and the valid range
   * @param remedy what the user can do
   */
  public static LakestreamException of(
      ErrorCode code, Object subject, String problem, String remedy) {
    return of(code, subject, problem, remedy, null);
  }

  /** Like {@link #of(ErrorCode, Object, String, String)}, with the cause kept. */
  public static LakestreamException of(
      ErrorCode code, Object subject, String problem, String remedy, Throwable cause) {
    String message = "[" + code.code() + "] " + subject + ": " + problem + " " + remedy;
    return new LakestreamException(code, message.trim(), cause);
  }

  public ErrorCode code() {
    return code;
  }
}

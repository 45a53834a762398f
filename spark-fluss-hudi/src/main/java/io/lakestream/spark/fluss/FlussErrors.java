package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.fluss.exception.ApiException;
import org.apache.fluss.exception.AuthenticationException;
import org.apache.fluss.exception.AuthorizationException;
import org.apache.fluss.exception.DatabaseNotEmptyException;
import org.apache.fluss.exception.DatabaseNotExistException;
import org.apache.fluss.exception.InvalidAlterTableException;
import org.apache.fluss.exception.InvalidConfigException;
import org.apache.fluss.exception.InvalidDatabaseException;
import org.apache.fluss.exception.InvalidPartitionException;
import org.apache.fluss.exception.InvalidReplicationFactorException;
import org.apache.fluss.exception.InvalidTableException;
import org.apache.fluss.exception.RetriableException;
import org.apache.fluss.exception.SchemaChangeException;
import org.apache.fluss.exception.TableAlreadyExistException;
import org.apache.fluss.exception.TableNotExistException;
import org.apache.fluss.exception.TooManyBucketsException;

/** Turns what the Fluss client throws into errors that a user can act on. */
final class FlussErrors {
  static final String CHECK_CREDENTIALS =
      "Check the user and the password in the client.security.* options, and the user's rights.";

  private FlussErrors() {}

  static LakestreamException translate(
      ClientConfig config, Object subject, String action, Throwable thrown) {
    Throwable cause = unwrap(thrown);
    if (cause instanceof LakestreamException already) {
      return already;
    }
    ErrorCode code = code(cause);
    String problem =
        "cannot "
            + action
            + " on the "
            + config
            + ": "
            + cause.getClass().getSimpleName()
            + ": "
            + cause.getMessage();
    return LakestreamException.of(code, subject, problem, remedy(code, cause), cause);
  }

  static LakestreamException timedOut(
      ClientConfig config, Object subject, String action, Throwable cause) {
    return LakestreamException.of(
        ErrorCode.CLUSTER_UNREACHABLE,
        subject,
        "cannot "
            + action
            + ": the "
            + config
            + " did not answer within "
            + config.requestTimeout().toMillis()
            + " ms.",
        remedy(ErrorCode.CLUSTER_UNREACHABLE, cause),
        cause);
  }

  /** What really happened, without the wrappers of futures. */
  static Throwable unwrap(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Whether the cluster does not accept the user, or does not let the user do something. */
  static boolean isDenial(Throwable thrown) {
    return ExceptionUtils.indexOfType(thrown, AuthenticationException.class) >= 0
        || ExceptionUtils.indexOfType(thrown, AuthorizationException.class) >= 0;
  }

  private static ErrorCode code(Throwable cause) {
    if (isDenial(cause)) {
      return ErrorCode.ACCESS_DENIED;
    } else if (cause instanceof TableNotExistException) {
      return ErrorCode.TABLE_NOT_FOUND;
    } else if (cause instanceof TableAlreadyExistException) {
      return ErrorCode.TABLE_ALREADY_EXISTS;
    } else if (cause instanceof DatabaseNotExistException) {
      return ErrorCode.NAMESPACE_NOT_FOUND;
    } else if (cause instanceof DatabaseNotEmptyException) {
      return ErrorCode.NAMESPACE_NOT_EMPTY;
    } else if (cause instanceof InvalidTableException
        || cause instanceof InvalidAlterTableException
        || cause instanceof InvalidConfigException
        || cause instanceof InvalidDatabaseException
        || cause instanceof InvalidPartitionException
        || cause instanceof InvalidReplicationFactorException
        || cause instanceof SchemaChangeException
        || cause instanceof TooManyBucketsException) {
      return ErrorCode.INVALID_TABLE_DEFINITION;
    } else if (cause instanceof RetriableException
        || cause instanceof java.util.concurrent.TimeoutException) {
      return ErrorCode.CLUSTER_UNREACHABLE;
    }
    return ErrorCode.REQUEST_FAILED;
  }

  private static String remedy(ErrorCode code, Throwable cause) {
    return switch (code) {
      case TABLE_NOT_FOUND -> "Check the database and table name.";
      case NAMESPACE_NOT_FOUND -> "Check the database name.";
      case NAMESPACE_NOT_EMPTY -> "Drop its tables first, or use CASCADE.";
      case TABLE_ALREADY_EXISTS -> "Use another name or IF NOT EXISTS.";
      case INVALID_TABLE_DEFINITION -> "Correct what the message names.";
      case CLUSTER_UNREACHABLE ->
          "Check " + ClientConfig.BOOTSTRAP_SERVERS + ", the network, and that the servers run.";
      case ACCESS_DENIED -> CHECK_CREDENTIALS;
      default ->
          cause instanceof ApiException
              ? "See what the server says, and its log."
              : "See the cause.";
    };
  }
}

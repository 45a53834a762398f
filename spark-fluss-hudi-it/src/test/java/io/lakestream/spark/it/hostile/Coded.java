package io.lakestream.spark.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lakestream.spark.error.LakestreamException;
import java.util.Optional;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Finds the coded error in what Spark throws. */
final class Coded {
  private Coded() {}

  /** The coded error of a call that must fail with one. */
  static LakestreamException error(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).as("an error").isNotNull();
    return in(thrown).orElseThrow(() -> new AssertionError("an error without a code", thrown));
  }

  static AbstractThrowableAssert<?, ? extends Throwable> assertError(ThrowingCallable call) {
    return assertThat(error(call));
  }

  static Optional<LakestreamException> in(Throwable thrown) {
    return ExceptionUtils.getThrowableList(thrown).stream()
        .filter(LakestreamException.class::isInstance)
        .map(LakestreamException.class::cast)
        .findFirst();
  }
}

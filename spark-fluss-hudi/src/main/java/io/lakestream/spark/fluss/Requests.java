package io.lakestream.spark.fluss;

import io.lakestream.spark.error.LakestreamException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.exception.RetriableException;

/**
 * Requests to one cluster, each with an answer or an error within the time-out. Some calls of the
 * Fluss client block without any limit before they return a future, so every call is made on a
 * thread of its own. Thread-safe.
 */
final class Requests {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "lakestream-fluss-request");
            thread.setDaemon(true);
            return thread;
          });

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ClientConfig config;

  Requests(ClientConfig config) {
    this.config = config;
  }

  /** A call that ends in a future. */
  interface AsyncCall<T> {
    CompletableFuture<T> start(FlussConnection connection) throws Exception;
  }

  /** A call that blocks. */
  interface Call<T> {
    T run(FlussConnection connection) throws Exception;
  }

  /** Like {@link #repeating}, for calls that return a future. */
  <T> T reading(Object subject, String action, AsyncCall<T> call) {
    return repeating(subject, action, connection -> call.start(connection).get());
  }

  /** Like {@link #blocking}, for calls that return a future. */
  <T> T async(Object subject, String action, AsyncCall<T> call) {
    return blocking(subject, action, connection -> call.start(connection).get());
  }

  /**
   * Like {@link #blocking}, for calls that may be made twice: repeats one that fails for a reason
   * that passes, as when a new partition's leader is not elected yet or a server restarts, until
   * the time-out.
   */
  <T> T repeating(Object subject, String action, Call<T> call) {
    long deadline = System.nanoTime() + config.requestTimeout().toNanos() - PAUSE.toNanos();
    return blocking(
        subject,
        action,
        connection -> {
          while (true) {
            try {
              return call.run(connection);
            } catch (Exception e) {
              boolean passes = FlussErrors.unwrap(e) instanceof RetriableException;
              if (!passes || System.nanoTime() > deadline) {
                throw e;
              }
            }
            Thread.sleep(PAUSE.toMillis());
          }
        });
  }

  /**
   * Makes a call.
   *
   * @param subject what it is about, for messages: a table or database
   * @param action what the call does, for messages, as in "cannot list tables"
   * @throws LakestreamException as {@link FlussErrors} translates what goes wrong
   */
  <T> T blocking(Object subject, String action, Call<T> call) {
    FlussConnection connection = Connections.get(config);
    Callable<T> task = () -> call.run(connection);
    Future<T> answer = THREADS.submit(task);
    try {
      return answer.get(config.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw FlussErrors.translate(config, subject, action, e.getCause());
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw FlussErrors.timedOut(config, subject, action, e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw FlussErrors.translate(config, subject, action, e);
    }
  }
}

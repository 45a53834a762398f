package io.lakestream.spark.it.security;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** Listens to everything that is logged in this JVM, at DEBUG, and keeps what tells a secret. */
final class SecretWatch implements AutoCloseable {
  private static final String NAME = "secret-watch";

  /** At DEBUG, Spark's parser repeats the statement that a user has typed. */
  private static final String SQL_TEXT = "org.apache.spark.sql.execution.SparkSqlParser";

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
  private final LoggerConfig root = context.getConfiguration().getRootLogger();
  private final Level before = root.getLevel();
  private volatile long events;

  /** Begins to listen. */
  SecretWatch(List<String> secrets) {
    AbstractAppender appender =
        new AbstractAppender(NAME, null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            events++;
            String text =
                event.getMessage().getFormattedMessage()
                    + Optional.ofNullable(event.getThrown()).map(SecretWatch::chain).orElse("");
            if (!event.getLoggerName().equals(SQL_TEXT)
                && secrets.stream().anyMatch(text::contains)) {
              told.add(event.getLoggerName() + ": " + text);
            }
          }
        };
    appender.start();
    Configuration configuration = context.getConfiguration();
    // The console keeps its own threshold.
    root.getAppenderRefs().forEach(reference -> root.removeAppender(reference.getRef()));
    configuration
        .getAppenders()
        .values()
        .forEach(console -> root.addAppender(console, before, null));
    root.addAppender(appender, Level.DEBUG, null);
    root.setLevel(Level.DEBUG);
    context.updateLoggers();
  }

  /** The messages of an exception and its causes. */
  static String chain(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      text.append('\n').append(cause);
    }
    return text.toString();
  }

  /** What told a secret so far. */
  List<String> told() {
    return told;
  }

  /** How many events were seen. */
  long events() {
    return events;
  }

  @Override
  public void close() {
    root.removeAppender(NAME);
    root.setLevel(before);
    context.updateLoggers();
  }
}

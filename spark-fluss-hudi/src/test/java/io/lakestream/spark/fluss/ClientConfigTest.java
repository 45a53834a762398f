package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.LakestreamException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientConfigTest {
  private static ClientConfig config(Map<String, String> options) {
    return ClientConfig.of(options, Duration.ofSeconds(10), ReadSettings.defaults());
  }

  @Test
  void completesOptionsWithoutOverridingTheUsers() {
    ClientConfig config =
        config(Map.of("bootstrap.servers", "h:9123", "client.scanner.log.max-poll-records", "17"));
    assertThat(config.options())
        .containsEntry("client.scanner.log.max-poll-records", "17")
        .containsEntry("client.connect-timeout", "10000ms")
        .containsEntry("client.writer.buffer.wait-timeout", "120000ms");
    assertThat(config(Map.of("bootstrap.servers", "h:9123")).options())
        .containsEntry("client.scanner.log.max-poll-records", "20000");
  }

  @Test
  void showsNothingButTheAddress() {
    ClientConfig config =
        config(Map.of("bootstrap.servers", "h:9123", "client.security.sasl.password", "hush"));
    assertThat(config).hasToString("Fluss cluster at h:9123");
    assertThat(config.address()).isEqualTo("h:9123");
  }

  @Test
  void equalOptionsShareAConnection() {
    assertThat(config(Map.of("bootstrap.servers", "h:1")))
        .isEqualTo(config(Map.of("bootstrap.servers", "h:1")))
        .isNotEqualTo(config(Map.of("bootstrap.servers", "h:2")));
  }

  @Test
  void needsAnAddress() {
    assertThatThrownBy(() -> config(Map.of("bootstrap.servers", " ")))
        .isInstanceOf(LakestreamException.class)
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] bootstrap.servers: the option is missing. Give the address"
                + " of the Fluss cluster as host:port.");
  }

  @Test
  void settingsAreChecked() {
    assertThatThrownBy(() -> new ReadSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), 0))
        .hasMessage("max poll records must be at least 1: 0");
    assertThatThrownBy(() -> new ReadSettings(Duration.ZERO, Duration.ofSeconds(1), 1))
        .hasMessage("poll timeout must be positive: PT0S");
  }
}

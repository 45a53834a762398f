package io.lakestream.spark.tiering;

import java.util.UUID;

/**
 * Which round something belongs to.
 *
 * @param id unique in the world
 * @param timestamp when the round began, in milliseconds since the epoch
 */
record RoundId(String id, long timestamp) {

  static RoundId next() {
    return new RoundId(UUID.randomUUID().toString(), System.currentTimeMillis());
  }
}

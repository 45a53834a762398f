package io.lakestream.spark.tiering.service;

import java.util.Map;

/**
 * The tables of a service, by name, each with its pace.
 *
 * @param scheduled those that the service tiers when their pace says so
 * @param leased those that the service tiers when their cluster gives them; of their pace only the
 *     retries count
 */
public record TableListing(Map<String, Pace> scheduled, Map<String, Pace> leased) {}

package io.lakestream.spark.tiering.service;

import java.time.Duration;

/**
 * How a service works.
 *
 * @param parallelism how many tables are tiered at once
 * @param discovery how often tables are looked for
 * @param leasePoll how often clusters are asked for tables that they give out
 * @param leaseRenewal how often a sign of life is given for such a table; clusters wait two minutes
 */
public record ServiceSettings(
    int parallelism, Duration discovery, Duration leasePoll, Duration leaseRenewal) {}

package io.lakestream.spark.catalog;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.tiering.service.LeasedTable;
import io.lakestream.spark.types.TablePath;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of a service that their clusters give out, by cluster. A cluster gives any of its
 * tables, so one that is not among these goes back at once. Thread-safe.
 */
final class LeasedCatalogTables {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedCatalogTables.class);

  private final AtomicInteger first = new AtomicInteger();
  private volatile List<Source> sources = List.of();

  private record Source(String address, TieringLeases leases, Map<TablePath, String> names) {}

  /** Collects the tables of one listing. */
  static final class Collector {
    private final Map<String, Source> byAddress = new LinkedHashMap<>();

    void add(String cluster, TieringLeases leases, TablePath path, String name) {
      byAddress
          .computeIfAbsent(cluster, address -> new Source(address, leases, new HashMap<>()))
          .names()
          .put(path, name);
    }
  }

  void update(Collector found) {
    sources = List.copyOf(found.byAddress.values());
  }

  /** Asks one cluster after the other; the one after that which gave comes first next time. */
  Optional<LeasedTable> request() {
    List<Source> asked = sources;
    int offset = first.get();
    for (int i = 0; i < asked.size(); i++) {
      int index = (offset + i) % asked.size();
      Optional<LeasedTable> given = request(asked.get(index));
      if (given.isPresent()) {
        first.set(index + 1);
        return given;
      }
    }
    return Optional.empty();
  }

  private Optional<LeasedTable> request(Source source) {
    TieringLeases leases = source.leases();
    Optional<TieringLease> lease;
    try {
      lease = leases.request();
    } catch (LakestreamException failure) {
      LOG.warn("The cluster {} gives no table: {}", source.address(), failure.toString());
      return Optional.empty();
    }
    return lease.flatMap(
        given -> {
          String name = source.names().get(given.path());
          if (name == null) {
            LOG.info("{} is not for this service and goes back to its cluster.", given.path());
            leases.giveBack(given);
            return Optional.empty();
          }
          return Optional.of(new LeasedTable(name, leases, given));
        });
  }
}

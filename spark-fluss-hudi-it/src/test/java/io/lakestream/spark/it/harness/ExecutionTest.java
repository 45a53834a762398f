package io.lakestream.spark.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ExecutionTest {
  private static final List<Function<Execution, Object>> PARTS =
      List.of(
          Execution::entryPoint, Execution::codegen, Execution::adaptive, Execution::vectorized);

  @Test
  void everyPairOfValuesOccurs() {
    for (Function<Execution, Object> one : PARTS) {
      for (Function<Execution, Object> other : PARTS) {
        Set<List<Object>> pairs = new HashSet<>();
        Execution.PAIRWISE.forEach(way -> pairs.add(List.of(one.apply(way), other.apply(way))));
        assertThat(pairs).hasSize(one == other ? 2 : 4);
      }
    }
  }

  @Test
  void everyPlacementOccursWithEveryValue() {
    for (Function<Execution, Object> part : PARTS) {
      Set<List<Object>> pairs = new HashSet<>();
      for (Placement placement : Placement.values()) {
        for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
          pairs.add(List.of(placement, part.apply(Execution.of(placement, entryPoint))));
        }
      }
      assertThat(pairs).hasSize(8);
    }
  }

  @Test
  void theOppositeSharesNoValue() {
    for (Execution way : Execution.PAIRWISE) {
      assertThat(PARTS).noneMatch(part -> part.apply(way).equals(part.apply(way.opposite())));
    }
  }
}

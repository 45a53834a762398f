package io.lakestream.spark.it.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final List<Integer> ITEMS = IntStream.range(0, 40).boxed().toList();

  private final List<List<Integer>> asked = new ArrayList<>();

  @Test
  void findsTheItemsThatMatter() {
    assertThat(shrink(list -> list.containsAll(List.of(3, 17, 38)), 1_000))
        .containsExactly(3, 17, 38);
    assertThat(asked).hasSizeLessThan(ITEMS.size() * 3);
  }

  @Test
  void findsOneItem() {
    for (int item : ITEMS) {
      assertThat(shrink(list -> list.contains(item), 1_000)).containsExactly(item);
    }
  }

  @Test
  void keepsTheOrderAndWhatDependsOnIt() {
    assertThat(shrink(list -> list.indexOf(30) > list.indexOf(5) && list.contains(5), 1_000))
        .containsExactly(5, 30);
  }

  @Test
  void leavesNoItemThatCouldBeLeftOut() {
    Predicate<List<Integer>> fails =
        list -> list.stream().mapToInt(Integer::intValue).sum() % 7 == 3 && list.size() > 4;
    List<Integer> start = ITEMS.subList(0, 25);
    while (!fails.test(start)) {
      start = start.subList(1, start.size());
    }
    List<Integer> shortest = new Shrinker<>(fails, 10_000).shrink(start);
    assertThat(fails.test(shortest)).isTrue();
    for (int left = 0; left < shortest.size(); left++) {
      List<Integer> shorter = new ArrayList<>(shortest);
      shorter.remove(left);
      assertThat(fails.test(shorter)).isFalse();
    }
  }

  @Test
  void whatFailsAnywayBecomesEmpty() {
    assertThat(shrink(list -> true, 1_000)).isEmpty();
  }

  @Test
  void asksNoMoreOftenThanItMayAndThenGivesTheBestThatItHas() {
    List<Integer> shortest = shrink(list -> list.contains(39), 3);
    assertThat(asked).hasSize(3);
    assertThat(shortest).contains(39).hasSizeLessThan(ITEMS.size());
  }

  @Test
  void givesTheWholeIfNoPartFails() {
    assertThat(shrink(ITEMS::equals, 1_000)).isEqualTo(ITEMS);
    assertThat(shrink(ITEMS::equals, 0)).isEqualTo(ITEMS);
  }

  @Test
  void asksTheSameEachTime() {
    shrink(list -> list.contains(11) && list.contains(29), 1_000);
    List<List<Integer>> first = List.copyOf(asked);
    asked.clear();
    shrink(list -> list.contains(11) && list.contains(29), 1_000);
    assertThat(asked).isEqualTo(first);
  }

  private List<Integer> shrink(Predicate<List<Integer>> fails, int attempts) {
    Predicate<List<Integer>> noted =
        list -> {
          asked.add(list);
          return fails.test(list);
        };
    return new Shrinker<>(noted, attempts).shrink(ITEMS);
  }
}

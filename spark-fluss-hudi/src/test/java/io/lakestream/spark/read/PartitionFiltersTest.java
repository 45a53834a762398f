package io.lakestream.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.types.PartitionKey;
import java.util.Arrays;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.FieldReference;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class PartitionFiltersTest {
  private static final StructType COLUMNS =
      new StructType().add("d", DataTypes.DateType).add("c", DataTypes.StringType);
  private static final Expression D = FieldReference.apply("d");
  private static final Expression C = FieldReference.apply("c");

  private static Expression day(int day) {
    return new LiteralValue<>(day, DataTypes.DateType);
  }

  private static Expression text(String text) {
    return new LiteralValue<>(UTF8String.fromString(text), DataTypes.StringType);
  }

  private static Predicate predicate(String name, Expression... children) {
    return new Predicate(name, children);
  }

  private static boolean keeps(Predicate predicate, Object... values) {
    return PartitionFilters.of(new Predicate[] {predicate}, COLUMNS)
        .test(new PartitionKey(Arrays.asList(values)));
  }

  @Test
  void comparisonsAreMadeOnTypedValues() {
    UTF8String x = UTF8String.fromString("x");
    assertThat(keeps(predicate("=", D, day(5)), 5, x)).isTrue();
    assertThat(keeps(predicate("=", D, day(5)), 6, x)).isFalse();
    assertThat(keeps(predicate("<>", D, day(5)), 5, x)).isFalse();
    assertThat(keeps(predicate("<", D, day(10)), 9, x)).isTrue();
    assertThat(keeps(predicate("<=", D, day(10)), 11, x)).isFalse();
    assertThat(keeps(predicate(">", D, day(-1)), -2, x)).isFalse();
    assertThat(keeps(predicate(">=", D, day(10)), 10, x)).isTrue();
    assertThat(keeps(predicate("IN", D, day(1), day(5)), 5, x)).isTrue();
    assertThat(keeps(predicate("IN", D, day(1), day(5)), 2, x)).isFalse();
    assertThat(keeps(predicate("=", C, text("x")), 1, x)).isTrue();
  }

  @Test
  void nullsFollowSqlAndNotTwoValuedLogic() {
    UTF8String x = UTF8String.fromString("x");
    assertThat(keeps(predicate("=", D, day(5)), null, x)).isFalse();
    assertThat(keeps(predicate("NOT", predicate("=", D, day(5))), null, x)).isFalse();
    assertThat(keeps(predicate("IS_NULL", D), null, x)).isTrue();
    assertThat(keeps(predicate("IS_NOT_NULL", D), null, x)).isFalse();
    assertThat(keeps(predicate("<=>", D, new LiteralValue<>(null, DataTypes.DateType)), null, x))
        .isTrue();
  }

  @Test
  void junctionsAreTranslatedWholeOrNotAtAll() {
    UTF8String x = UTF8String.fromString("x");
    Predicate known = predicate("=", D, day(5));
    Predicate other = predicate("=", FieldReference.apply("v"), day(5));
    assertThat(keeps(predicate("AND", known, predicate("=", C, text("x"))), 5, x)).isTrue();
    assertThat(keeps(predicate("OR", known, predicate("=", C, text("y"))), 6, x)).isFalse();
    assertThat(keeps(predicate("OR", known, other), 6, x)).isTrue();
    assertThat(keeps(predicate("NOT", predicate("AND", known, other)), 5, x)).isTrue();
  }

  @Test
  void whatIsNotKnownDropsNothing() {
    UTF8String x = UTF8String.fromString("x");
    assertThat(keeps(predicate("STARTS_WITH", C, text("y")), 5, x)).isTrue();
    assertThat(keeps(predicate("=", Expressions.column("a.b"), day(1)), 5, x)).isTrue();
    assertThat(keeps(predicate("=", FieldReference.apply("v"), day(1)), 5, x)).isTrue();
  }
}

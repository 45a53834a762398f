package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.testing.Tables;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableChange.ColumnPosition;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class TableAlterationTest {
  private static final LogTable TABLE = Tables.log(1);

  private static TableChange add(String name, DataType type) {
    return TableChange.addColumn(new String[] {name}, type);
  }

  @Test
  void columnsComeInOrderAndMayBeNull() {
    TableAlteration alteration =
        TableAlteration.parse(
            TABLE,
            false,
            add("n", DataTypes.LongType),
            TableChange.addColumn(
                new String[] {"m"}, DataTypes.createDecimalType(9, 2), true, "money"));

    assertThat(alteration.columns())
        .extracting(column -> column.name() + " " + column.type() + " " + column.comment())
        .containsExactly("n BIGINT null", "m DECIMAL(9,2) money");
    assertThat(alteration.set()).isEmpty();
    assertThat(alteration.removed()).isEmpty();
  }

  @Test
  void propertiesAreSetAndRemoved() {
    TableAlteration alteration =
        TableAlteration.parse(
            TABLE,
            true,
            TableChange.setProperty("team", "ads"),
            TableChange.removeProperty("owner.team"));

    assertThat(alteration.set()).containsExactly(Map.entry("team", "ads"));
    assertThat(alteration.removed()).containsExactly("owner.team");
    assertThat(alteration.columns()).isEmpty();
  }

  @Test
  void aStatementDoesOneOfTheTwo() {
    assertThatThrownBy(
            () ->
                TableAlteration.parse(
                    TABLE,
                    false,
                    add("n", DataTypes.LongType),
                    TableChange.setProperty("team", "ads")))
        .hasMessage(
            "[LAKESTREAM_UNSUPPORTED_OPERATION] db.t: Fluss cannot add columns and change"
                + " properties at once. Do the one after the other.");
  }

  @Test
  void placesAndValuesThatFlussCannotGive() {
    assertRefused(
        "is to stand at AFTER id. Leave FIRST and AFTER out",
        TableChange.addColumn(
            new String[] {"n"}, DataTypes.LongType, true, null, ColumnPosition.after("id"), null));
    assertRefused(
        "is NOT NULL", TableChange.addColumn(new String[] {"n"}, DataTypes.LongType, false));
    assertRefused(
        "'s.n' is a field of a struct",
        TableChange.addColumn(new String[] {"s", "n"}, DataTypes.LongType));
    assertRefused(
        "cannot make the change DeleteColumn", TableChange.deleteColumn(new String[] {"v"}, false));
    assertRefused("'comment' cannot be changed", TableChange.setProperty("comment", "another"));
  }

  @Test
  void typesAndNamesThatATableCannotHave() {
    TableChange interval = add("i", DataTypes.CalendarIntervalType);
    assertThatThrownBy(() -> TableAlteration.parse(TABLE, false, interval))
        .hasMessageStartingWith("[LAKESTREAM_UNSUPPORTED_TYPE] db.t: ")
        .hasMessageContaining("'i' has the type interval");
    TableChange reserved = add("__Offset", DataTypes.LongType);
    assertThatThrownBy(() -> TableAlteration.parse(TABLE, false, reserved))
        .hasMessageStartingWith("[LAKESTREAM_INVALID_TABLE_DEFINITION] db.t: ")
        .hasMessageContaining("'__Offset' is reserved");
  }

  @Test
  void propertiesOfTheLakeAreFixedOnceItIsThere() {
    TableChange change = TableChange.setProperty("hudi.hoodie.some.key", "1");

    assertThat(TableAlteration.parse(TABLE, false, change).set()).hasSize(1);
    assertThatThrownBy(() -> TableAlteration.parse(TABLE, true, change))
        .hasMessageContaining("'hudi.hoodie.some.key' cannot be changed: the lake was created");
  }

  private static void assertRefused(String text, TableChange change) {
    assertThatThrownBy(() -> TableAlteration.parse(TABLE, false, change))
        .hasMessageStartingWith("[LAKESTREAM_UNSUPPORTED_OPERATION] db.t: ")
        .hasMessageContaining(text);
  }
}

package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.types.LogicalType;
import java.util.EnumSet;
import java.util.List;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypeRoot;
import org.apache.fluss.types.DataTypes;
import org.junit.jupiter.api.Test;

class FlussTypesTest {
  private static final List<DataType> ALL =
      List.of(
          DataTypes.CHAR(5),
          DataTypes.STRING(),
          DataTypes.BOOLEAN(),
          DataTypes.BINARY(3),
          DataTypes.BYTES(),
          DataTypes.DECIMAL(38, 18),
          DataTypes.TINYINT(),
          DataTypes.SMALLINT(),
          DataTypes.INT(),
          DataTypes.BIGINT(),
          DataTypes.FLOAT(),
          DataTypes.DOUBLE(),
          DataTypes.DATE(),
          DataTypes.TIME(9),
          DataTypes.TIMESTAMP(0),
          DataTypes.TIMESTAMP_LTZ(9),
          DataTypes.ARRAY(DataTypes.INT().copy(false)),
          DataTypes.MAP(DataTypes.STRING().copy(false), DataTypes.TIMESTAMP(3)),
          DataTypes.ROW(
              DataTypes.FIELD("A", DataTypes.ARRAY(DataTypes.DECIMAL(5, 2))),
              DataTypes.FIELD("b", DataTypes.CHAR(1).copy(false))));

  @Test
  void everyTypeAndNullabilityComesBack() {
    for (DataType type : ALL) {
      for (DataType each : List.of(type, type.copy(false))) {
        LogicalType logical = FlussTypes.toLogical("c", each);
        assertThat(logical.nullable()).isEqualTo(each.isNullable());
        assertThat(FlussTypes.toFluss(logical)).isEqualTo(each);
      }
    }
  }

  @Test
  void noTypeOfTheClientIsMissing() {
    EnumSet<DataTypeRoot> roots = EnumSet.noneOf(DataTypeRoot.class);
    ALL.forEach(type -> roots.add(type.getTypeRoot()));
    assertThat(roots).isEqualTo(EnumSet.allOf(DataTypeRoot.class));
  }
}

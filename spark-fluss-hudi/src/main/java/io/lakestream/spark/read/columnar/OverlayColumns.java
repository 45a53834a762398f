package io.lakestream.spark.read.columnar;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns a merge reads: the wanted ones first, then the key columns that are not among them.
 *
 * @param read the columns to read
 * @param wanted how many of them, from the left, are handed on
 * @param keyOrdinals where the key columns are, in key order
 */
record OverlayColumns(StructType read, int wanted, int[] keyOrdinals) implements Serializable {

  static OverlayColumns of(StructType wanted, List<StructField> keys) {
    StructType read = wanted;
    int[] ordinals = new int[keys.size()];
    for (int i = 0; i < ordinals.length; i++) {
      List<String> names = Arrays.asList(read.fieldNames());
      ordinals[i] = names.indexOf(keys.get(i).name());
      if (ordinals[i] < 0) {
        ordinals[i] = read.length();
        read = read.add(keys.get(i));
      }
    }
    return new OverlayColumns(read, wanted.length(), ordinals);
  }
}

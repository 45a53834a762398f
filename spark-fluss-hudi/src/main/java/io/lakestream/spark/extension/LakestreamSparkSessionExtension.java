package io.lakestream.spark.extension;

import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Adds {@code CALL <catalog>.system.<procedure>(…)} for lakestream catalogs to a session. Name it
 * in {@code spark.sql.extensions}, in any order with those of others. Nothing else needs it.
 */
public final class LakestreamSparkSessionExtension
    extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectParser(CallParser::new);
    return BoxedUnit.UNIT;
  }
}

package io.lakestream.spark.extension;

import io.lakestream.spark.catalog.LakestreamCatalog;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.collection.Seq;

/**
 * Takes {@code CALL} statements on lakestream catalogs, and hands everything else as it is to the
 * parser that was there before.
 */
final class CallParser implements ParserInterface {
  private static final String CATALOG = "spark.sql.catalog.";

  private final SparkSession session;
  private final ParserInterface next;

  CallParser(SparkSession session, ParserInterface next) {
    this.session = session;
    this.next = next;
  }

  @Override
  public LogicalPlan parsePlan(String text) throws ParseException {
    Optional<String> catalog = CallText.catalog(text).filter(this::isOurs);
    if (catalog.isEmpty()) {
      return next.parsePlan(text);
    }
    CallStatement call = CallText.parse(text);
    return new CallCommand(call, Procedure.of(call));
  }

  private boolean isOurs(String catalog) {
    return LakestreamCatalog.class.getName().equals(session.conf().get(CATALOG + catalog, null));
  }

  @Override
  public Expression parseExpression(String text) throws ParseException {
    return next.parseExpression(text);
  }

  @Override
  public TableIdentifier parseTableIdentifier(String text) throws ParseException {
    return next.parseTableIdentifier(text);
  }

  @Override
  public FunctionIdentifier parseFunctionIdentifier(String text) throws ParseException {
    return next.parseFunctionIdentifier(text);
  }

  @Override
  public Seq<String> parseMultipartIdentifier(String text) throws ParseException {
    return next.parseMultipartIdentifier(text);
  }

  @Override
  public LogicalPlan parseQuery(String text) throws ParseException {
    return next.parseQuery(text);
  }

  @Override
  public StructType parseTableSchema(String text) throws ParseException {
    return next.parseTableSchema(text);
  }

  @Override
  public DataType parseDataType(String text) throws ParseException {
    return next.parseDataType(text);
  }
}

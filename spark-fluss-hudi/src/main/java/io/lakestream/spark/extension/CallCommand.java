package io.lakestream.spark.extension;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.command.LeafRunnableCommand;
import scala.Enumeration;
import scala.Function1;
import scala.collection.IndexedSeq;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Runs a procedure when Spark runs the plan, not when it explains it. */
final class CallCommand extends LogicalPlan implements LeafRunnableCommand {
  private final CallStatement call;
  private final Procedure procedure;
  private final Seq<Attribute> output;

  CallCommand(CallStatement call, Procedure procedure) {
    this(
        call, procedure, (Seq<Attribute>) (Seq<?>) DataTypeUtils.toAttributes(procedure.columns()));
  }

  private CallCommand(CallStatement call, Procedure procedure, Seq<Attribute> output) {
    this.call = call;
    this.procedure = procedure;
    this.output = output;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public Seq<Row> run(SparkSession session) {
    return JavaConverters.asScalaBuffer(
            procedure.run(session, call.catalog(), Procedure.table(call)))
        .toSeq();
  }

  @Override
  public Seq<LogicalPlan> children() {
    return JavaConverters.asScalaBuffer(List.<LogicalPlan>of()).toSeq();
  }

  @Override
  public LogicalPlan mapChildren(Function1<LogicalPlan, LogicalPlan> function) {
    return this;
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> children) {
    return this;
  }

  @Override
  public Seq<Enumeration.Value> nodePatterns() {
    return JavaConverters.asScalaBuffer(List.of(TreePattern.COMMAND())).toSeq();
  }

  /** How Scala would set the pattern, which is fixed here. */
  @Override
  public void org$apache$spark$sql$catalyst$plans$logical$Command$_setter_$nodePatterns_$eq(
      Seq<Enumeration.Value> patterns) {}

  /** Spark would look for a public constructor. */
  @Override
  public LogicalPlan clone() {
    return new CallCommand(call, procedure, output);
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int index) {
    return call;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof CallCommand;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CallCommand that && call.equals(that.call);
  }

  @Override
  public int hashCode() {
    return Objects.hash(call);
  }
}

package io.lakestream.spark.read.columnar;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import io.lakestream.spark.read.plan.UnionSplit;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A split as Spark ships it. Kryo is told to use Java serialization, because it can make neither
 * records nor immutable lists.
 */
@DefaultSerializer(JavaSerializer.class)
public record UnionInputPartition(UnionSplit split) implements InputPartition {}

package io.lakestream.spark.hudi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Avro-encoded records in one buffer, each behind its length in four bytes, which is the layout of
 * the content of Hudi's Avro data block (version 1 and up: block version, number of records, then
 * the records).
 */
final class EncodedRecords {
  private final byte[] bytes;
  private final int start;
  private final int count;

  private EncodedRecords(byte[] bytes, int start, int count) {
    this.bytes = bytes;
    this.start = start;
    this.count = count;
  }

  /** Takes the content of an Avro data block. */
  static EncodedRecords ofBlock(byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    int version = buffer.getInt();
    if (version < 1) {
      throw new IOException("Avro data block of version " + version + "; 1 and up are read");
    }
    int count = buffer.getInt();
    return new EncodedRecords(content, buffer.position(), count);
  }

  /** Encodes records. */
  static EncodedRecords of(Schema schema, Iterator<? extends IndexedRecord> records)
      throws IOException {
    GenericDatumWriter<IndexedRecord> writer = new GenericDatumWriter<>(schema);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteArrayOutputStream one = new ByteArrayOutputStream();
    BinaryEncoder encoder = null;
    int count = 0;
    while (records.hasNext()) {
      one.reset();
      encoder = EncoderFactory.get().binaryEncoder(one, encoder);
      writer.write(records.next(), encoder);
      encoder.flush();
      all.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(one.size()).array());
      one.writeTo(all);
      count++;
    }
    return new EncodedRecords(all.toByteArray(), 0, count);
  }

  byte[] bytes() {
    return bytes;
  }

  int count() {
    return count;
  }

  /** The position of the first record's length. */
  int start() {
    return start;
  }

  /** The length of the record whose length stands at a position. */
  int length(int position) {
    return ByteBuffer.wrap(bytes).getInt(position);
  }

  /** The position of the first byte of the record whose length stands at a position. */
  int dataStart(int position) {
    return position + Integer.BYTES;
  }

  /** The position of the length of the next record. */
  int next(int position) {
    return position + Integer.BYTES + length(position);
  }
}

package io.lakestream.spark.hudi;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The local file system under the scheme {@code counting}, counting the bytes that are read. */
public class CountingFileSystem extends RawLocalFileSystem {
  static final String SCHEME = "counting";
  static final AtomicLong BYTES = new AtomicLong();

  /** A configuration that knows the scheme. */
  static Configuration configuration() {
    Configuration conf = new Configuration();
    conf.set("fs." + SCHEME + ".impl", CountingFileSystem.class.getName());
    return conf;
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new CountingStream(super.open(path, bufferSize)));
  }

  private static final class CountingStream extends FSInputStream {
    private final FSDataInputStream in;

    private CountingStream(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) throws IOException {
      return in.seekToNewSource(position);
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      BYTES.addAndGet(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = in.read(buffer, offset, length);
      BYTES.addAndGet(Math.max(count, 0));
      return count;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}

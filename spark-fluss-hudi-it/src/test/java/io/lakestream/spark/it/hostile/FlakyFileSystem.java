package io.lakestream.spark.it.hostile;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The local file system, which can be away: then every call fails. */
public final class FlakyFileSystem extends LocalFileSystem {
  private static volatile boolean away;

  static void setAway(boolean isAway) {
    away = isAway;
  }

  private static void requireThere() throws IOException {
    if (away) {
      throw new IOException("the file system is away");
    }
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    requireThere();
    super.initialize(name, conf);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    requireThere();
    return super.open(path, bufferSize);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    requireThere();
    return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    requireThere();
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    requireThere();
    return super.delete(path, recursive);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    requireThere();
    return super.listStatus(path);
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    requireThere();
    return super.mkdirs(path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    requireThere();
    return super.getFileStatus(path);
  }
}

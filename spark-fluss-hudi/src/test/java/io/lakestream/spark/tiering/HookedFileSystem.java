package io.lakestream.spark.tiering;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The local file system, on which something may happen just before an instant is completed. */
public final class HookedFileSystem extends LocalFileSystem {
  /** Hudi renames the file once it is written. */
  private static final Pattern COMPLETION =
      Pattern.compile(".*/lake/\\.hoodie/timeline/(\\d+)_\\d+\\.(delta)?commit.*");

  private static final AtomicReference<Consumer<String>> HOOK = new AtomicReference<>();

  /**
   * The Hadoop options of a lake on which an action runs once, with the instant, before the next
   * instant's completed file is made.
   */
  static Map<String, String> beforeCompletion(Consumer<String> action) {
    HOOK.set(action);
    return Map.of(
        "fs.file.impl", HookedFileSystem.class.getName(), "fs.file.impl.disable.cache", "true");
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    Matcher completion = COMPLETION.matcher(file.toUri().getPath());
    Consumer<String> action = completion.matches() ? HOOK.getAndSet(null) : null;
    if (action != null) {
      action.accept(completion.group(1));
    }
    return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }
}

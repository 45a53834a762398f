package io.lakestream.spark.hudi;

import java.io.IOException;
import java.util.Optional;

/**
 * Decides on files of instants that have left the active timeline. The metadata table lists only
 * files that a completed instant wrote, so a file found there is taken; after a directory listing
 * the archived commit metadata decides, which means reading the whole archive once.
 */
final class ArchivedFiles implements SliceBuilder.Archive {
  private final HudiTimeline timeline;
  private final boolean committedOnly;

  ArchivedFiles(HudiTimeline timeline, boolean committedOnly) {
    this.timeline = timeline;
    this.committedOnly = committedOnly;
  }

  @Override
  public boolean covers(String instant) {
    return timeline.isBeforeStart(instant);
  }

  @Override
  public boolean wrote(DataFile file) throws IOException {
    if (committedOnly) {
      return true;
    }
    Optional<CompletedWrite> write = timeline.archivedWrite(file.instant());
    return write.isPresent() && write.get().files().containsKey(file.relativePath());
  }

  @Override
  public Optional<String> completionTime(String instant) {
    return timeline.archivedCompletionTime(instant);
  }
}

package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.AsOf;
import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.exception.HoodieException;

/**
 * A Hudi table on the driver. Opening it has read the timeline, which serves the first planning;
 * each further one reads it anew. Thread-safe.
 */
final class HudiLakeTable implements LakeTable {
  /** Before every instant. */
  private static final String BEGINNING = "";

  private final TablePath table;
  private final String path;
  private final HoodieTableMetaClient client;
  private final Configuration conf;
  private final TableSchema schema;
  private final PartitionPaths partitionPaths;
  private final int buckets;
  private boolean planned;

  HudiLakeTable(
      TablePath table,
      HoodieTableMetaClient client,
      Configuration conf,
      TableSchema schema,
      PartitionPaths partitionPaths,
      int buckets) {
    this.table = table;
    this.path = client.getBasePath().toString();
    this.client = client;
    this.conf = conf;
    this.schema = schema;
    this.partitionPaths = partitionPaths;
    this.buckets = buckets;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public OptionalLong ownerId() {
    String id = client.getTableConfig().getString(HudiTableCreation.TABLE_ID);
    return id == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(id));
  }

  @Override
  public Optional<String> latestInstant() {
    return readTimeline(HudiTimeline::latestDataInstant);
  }

  @Override
  public String instantAsOf(AsOf point) {
    return readTimeline(
        timeline -> {
          String upTo =
              point instanceof AsOf.Moment moment
                  ? timeline.spell(moment.time())
                  : ((AsOf.RequestedTime) point).requestedTime();
          Optional<String> found = timeline.dataInstantUpTo(upTo);
          if (found.isEmpty()) {
            throw notYetThere(upTo, timeline.oldestDataInstant());
          }
          return found.get();
        });
  }

  private interface TimelineQuestion<T> {
    T ask(HudiTimeline timeline) throws IOException;
  }

  private synchronized <T> T readTimeline(TimelineQuestion<T> question) {
    try {
      return question.ask(new HudiTimeline(client));
    } catch (IOException | HoodieException e) {
      throw unreadable(e);
    }
  }

  @Override
  public LakeReaderFactory readerFactory(String instant) {
    return new HudiReaderFactory(table, instant, schema, conf);
  }

  @Override
  public List<LakeSlice> slices(String instant, Predicate<PartitionKey> partitions) {
    try {
      return plan(instant, partitions);
    } catch (IOException | UncheckedIOException | HoodieException e) {
      throw unreadable(e);
    }
  }

  private synchronized List<LakeSlice> plan(String instant, Predicate<PartitionKey> partitions)
      throws IOException {
    HoodieTableMetaClient client = planned ? HudiMetaClients.open(table, path, conf) : this.client;
    planned = true;
    HudiTimeline timeline = new HudiTimeline(client);
    boolean active = timeline.contains(instant);
    if (!active && timeline.archivedCompletionTime(instant).isEmpty()) {
      throw neverThere(instant);
    }
    String filesFrom = FileListing.isIndexed(client) ? instant : BEGINNING;
    List<CompletedWrite> writes = timeline.completedWrites(filesFrom);
    Map<String, PartitionKey> keys = new HashMap<>();
    Predicate<String> wanted =
        partitionPath -> partitions.test(keys.computeIfAbsent(partitionPath, this::parsePartition));
    FileListing listing = FileListing.of(client, writtenPartitions(writes), wanted);

    // A cleaning deletes files before it completes, so it is looked for after the listing.
    RetentionGuard guard = new RetentionGuard(table, instant, writes, timeline.cleanings(), wanted);
    SliceBuilder builder =
        new SliceBuilder(instant, writes, new ArchivedFiles(timeline, listing.committedOnly()));
    guard.checkRetained(builder);
    if (!active) {
      guard.checkArchived();
    }
    Map<FileGroup, FileSlice> slices = builder.build(listing.files());
    guard.checkComplete(builder, slices);

    BucketIds bucketIds = new BucketIds(buckets, writes, timeline::archivedClusteredGroups);
    List<LakeSlice> result = new ArrayList<>();
    for (FileSlice slice : slices.values()) {
      FileGroup group = slice.group();
      result.add(lakeSlice(slice, keys.get(group.partitionPath()), bucketIds.of(group)));
    }
    result.sort(Comparator.comparing(LakeSlice::partitionPath).thenComparing(LakeSlice::fileId));
    return result;
  }

  private static LakeSlice lakeSlice(FileSlice slice, PartitionKey key, int bucket) {
    FileGroup group = slice.group();
    LakeFile base = slice.base() == null ? null : slice.base().file();
    return new LakeSlice(
        key,
        group.partitionPath(),
        group.fileId(),
        bucket,
        base,
        slice.logs().stream().map(DataFile::file).toList());
  }

  private PartitionKey parsePartition(String partitionPath) {
    try {
      return partitionPaths.parse(partitionPath);
    } catch (IllegalArgumentException e) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          table,
          "the Hudi table at " + path + " has a folder that is no partition: " + e.getMessage(),
          "Check that the lake path is the table's own.",
          e);
    }
  }

  private static Set<String> writtenPartitions(List<CompletedWrite> writes) {
    Set<String> paths = new HashSet<>();
    for (CompletedWrite write : writes) {
      if (!write.hasFiles()) {
        continue;
      }
      write.files().values().forEach(file -> paths.add(file.group().partitionPath()));
    }
    return paths;
  }

  private LakestreamException neverThere(String instant) {
    return LakestreamException.of(
        ErrorCode.LAKE_MISMATCH,
        table,
        "the Hudi table at " + path + " never completed an instant " + instant + ".",
        "Check that the lake path is the table's own; its newest instant is "
            + latestInstant().orElse("none")
            + ".");
  }

  private LakestreamException notYetThere(String upTo, Optional<String> oldest) {
    return LakestreamException.of(
        ErrorCode.LAKE_SNAPSHOT_GONE,
        table,
        "the Hudi table at " + path + " has no data instant up to " + upTo + ".",
        oldest
            .map(instant -> "Its oldest is " + instant + "; read as of that or a later point.")
            .orElse("Nothing was tiered yet; run a tiering round first."));
  }

  private LakestreamException unreadable(Exception cause) {
    return LakestreamException.of(
        ErrorCode.LAKE_UNREADABLE,
        table,
        "the timeline or file listing of the Hudi table at "
            + path
            + " cannot be read: "
            + cause.getMessage()
            + ".",
        "Check the file system options ('hadoop.*') and the permissions of the path.",
        cause);
  }
}

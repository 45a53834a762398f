package io.lakestream.spark.read.plan;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.read.plan.UnionSplit.FilePart;
import io.lakestream.spark.read.plan.UnionSplit.LakeSplit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Cuts base files into parts and packs parts into splits of about the same cost. The cost of a part
 * is the bytes of its wanted columns, so a narrow read of wide files gets few, long splits.
 */
final class LakeSplitPacker {
  private final PlanSettings settings;
  private final List<LakeFile> files = new ArrayList<>();

  LakeSplitPacker(PlanSettings settings) {
    this.settings = settings;
  }

  void add(LakeFile file) {
    files.add(file);
  }

  /** All parts, the most expensive first, packed into splits. */
  List<UnionSplit> pack() {
    double splitCost = splitCost();
    List<UnionSplit> splits = new ArrayList<>();
    List<FilePart> open = new ArrayList<>();
    double cost = 0;
    for (FilePart part : parts(splitCost)) {
      double partCost = settings.fileOpenCost() + wantedBytes(part.length());
      if (!open.isEmpty() && cost + partCost > splitCost) {
        splits.add(new LakeSplit(open));
        open = new ArrayList<>();
        cost = 0;
      }
      open.add(part);
      cost += partCost;
    }
    if (!open.isEmpty()) {
      splits.add(new LakeSplit(open));
    }
    return splits;
  }

  private double splitCost() {
    double total = 0;
    for (LakeFile file : files) {
      total += settings.fileOpenCost() + wantedBytes(file.length());
    }
    double fairShare = Math.ceil(total / settings.parallelism());
    return Math.min(settings.splitSize(), Math.max(settings.fileOpenCost() + 1, fairShare));
  }

  private List<FilePart> parts(double splitCost) {
    long partLength =
        Math.max(1, (long) ((splitCost - settings.fileOpenCost()) / settings.projectedFraction()));
    long step = Math.max(partLength, settings.fileOpenCost());
    List<FilePart> parts = new ArrayList<>();
    for (LakeFile file : files) {
      for (long start = 0; start < file.length(); start += step) {
        parts.add(new FilePart(file, start, Math.min(step, file.length() - start)));
      }
    }
    parts.sort(
        Comparator.comparingLong(FilePart::length)
            .reversed()
            .thenComparing(part -> part.file().path())
            .thenComparingLong(FilePart::start));
    return parts;
  }

  private double wantedBytes(long fileBytes) {
    return fileBytes * settings.projectedFraction();
  }
}

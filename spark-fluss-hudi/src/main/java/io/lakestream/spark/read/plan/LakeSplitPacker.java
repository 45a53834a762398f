package io.lakestream.spark.read.plan;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.read.plan.UnionSplit.FilePart;
import io.lakestream.spark.read.plan.UnionSplit.LakeSplit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Cuts base files into parts and packs parts into splits of about the same cost. The cost of a part
 * is the bytes of the wanted columns, so a narrow read of wide files gets few, long splits.
 */
final class LakeSplitPacker {
  private final PlanSettings settings;
  private final List<FilePart> parts = new ArrayList<>();

  LakeSplitPacker(PlanSettings settings) {
    this.settings = settings;
  }

  void add(LakeFile file) {
    long partLength = Math.max(1, (long) (settings.splitSize() / settings.projectedFraction()));
    for (long start = 0; start < file.length(); start += partLength) {
      parts.add(new FilePart(file, start, Math.min(partLength, file.length() - start)));
    }
  }

  /** All parts, the most expensive first, each split up to the split size. */
  List<UnionSplit> pack() {
    parts.sort(
        Comparator.comparingLong(FilePart::length)
            .reversed()
            .thenComparing(part -> part.file().path())
            .thenComparingLong(FilePart::start));
    List<UnionSplit> splits = new ArrayList<>();
    List<FilePart> open = new ArrayList<>();
    double cost = 0;
    for (FilePart part : parts) {
      double partCost = settings.fileOpenCost() + part.length() * settings.projectedFraction();
      if (!open.isEmpty() && cost + partCost > settings.splitSize()) {
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
}

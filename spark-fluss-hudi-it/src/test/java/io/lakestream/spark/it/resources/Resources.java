package io.lakestream.spark.it.resources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What this process holds at one moment.
 *
 * @param sockets open sockets, most of them connections to Fluss
 * @param files open files that are no sockets, by their target
 * @param threads live threads by name, numbers in names left out
 * @param offHeapBytes memory beside the heap that was allocated by Java code: Arrow's and Netty's
 */
record Resources(
    int sockets, Map<String, Long> files, Map<String, Long> threads, long offHeapBytes) {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Pattern OFF_HEAP = Pattern.compile("Other \\(reserved=(\\d+)KB");
  private static final String SOCKET = "socket:";

  static Resources now() {
    // Buffers that only the collector frees are no leak.
    System.gc();
    List<String> targets = targets();
    return new Resources(
        (int) targets.stream().filter(target -> target.startsWith(SOCKET)).count(),
        counted(targets.stream().filter(target -> !target.startsWith(SOCKET))),
        counted(
            Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName().replaceAll("\\d+", "#"))),
        offHeap());
  }

  private static Map<String, Long> counted(Stream<String> names) {
    return names.collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
  }

  private static List<String> targets() {
    List<String> targets = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      for (Path descriptor : descriptors.toList()) {
        try {
          targets.add(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
          // The one of the listing itself, which is closed by now.
          continue;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return targets;
  }

  private static long offHeap() {
    String summary;
    try {
      summary =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "vmNativeMemory",
                      new Object[] {new String[] {"summary"}},
                      new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
    Matcher matcher = OFF_HEAP.matcher(summary);
    if (!matcher.find()) {
      throw new IllegalStateException("no native memory tracking: " + summary);
    }
    return Long.parseLong(matcher.group(1)) * 1024;
  }

  long threadCount() {
    return threads.values().stream().mapToLong(Long::longValue).sum();
  }

  long fileCount() {
    return files.values().stream().mapToLong(Long::longValue).sum();
  }
}

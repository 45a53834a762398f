package io.lakestream.spark.tiering;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Lets several threads run one at a time; at each {@link #pause} chance decides who goes on. The
 * same random numbers give the same order.
 */
final class Turns {
  private final Map<Thread, Semaphore> turns = new HashMap<>();
  private final Semaphore paused = new Semaphore(0);
  private final List<Throwable> failures = new ArrayList<>();

  /** Runs all parts to their ends. */
  void run(Random random, List<Runnable> parts) {
    List<Thread> running = new ArrayList<>();
    for (Runnable part : parts) {
      Semaphore turn = new Semaphore(0);
      Thread thread = new Thread(() -> runPart(part, turn));
      turns.put(thread, turn);
      running.add(thread);
      thread.setDaemon(true);
      thread.start();
    }
    while (!running.isEmpty()) {
      Thread next = running.get(random.nextInt(running.size()));
      turns.get(next).release();
      paused.acquireUninterruptibly();
      running.removeIf(thread -> !turns.containsKey(thread));
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a part failed", failures.get(0));
    }
  }

  private void runPart(Runnable part, Semaphore turn) {
    turn.acquireUninterruptibly();
    try {
      part.run();
    } catch (Throwable failure) {
      failures.add(failure);
    } finally {
      turns.remove(Thread.currentThread());
      paused.release();
    }
  }

  /** Gives the turn back, if the caller is one of the parts, and waits for the next one. */
  void pause() {
    Semaphore turn = turns.get(Thread.currentThread());
    if (turn != null) {
      paused.release();
      turn.acquireUninterruptibly();
    }
  }
}

package io.contextstore.maintenance;

import io.contextstore.generation.Generation;
import java.util.ArrayList;
import java.util.List;

/**
 * When the count of pending generations makes a merge due, and how much one pass takes.
 *
 * @param afterGenerations pending generations that start a merge; 0 is never
 * @param maxGenerations the most generations of a pass; 0 is no bound
 * @param maxBytes the most bytes of a pass, though always one generation
 */
public record MergeLimits(int afterGenerations, int maxGenerations, long maxBytes) {
  /** Whether {@code pending} generations are enough for the count trigger. */
  boolean isDue(int pending) {
    return afterGenerations > 0 && pending >= afterGenerations;
  }

  /** The oldest of {@code pending} that one pass takes; at least one when there is any. */
  List<Generation> choose(List<Generation> pending) {
    List<Generation> chosen = new ArrayList<>();
    long bytes = 0;
    for (Generation generation : pending) {
      boolean full =
          (maxGenerations > 0 && chosen.size() >= maxGenerations)
              || bytes + generation.bytes() > maxBytes;
      if (full && !chosen.isEmpty()) {
        break;
      }
      chosen.add(generation);
      bytes += generation.bytes();
    }
    return chosen;
  }
}

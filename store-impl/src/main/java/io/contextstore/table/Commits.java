package io.contextstore.table;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.lance.Dataset;
import org.lance.operation.Operation;

/** Commits that must land directly on what they read, and be on disk, to count as committed. */
final class Commits {
  private Commits() {}

  /**
   * Commits once and syncs the commit.
   *
   * @param base the handle on which the operation was prepared
   * @param files the files of a local table; empty for an object store, which syncs by itself
   */
  static CommitOutcome outcome(
      Dataset base,
      Operation operation,
      Map<String, String> properties,
      Optional<TableFiles> files) {
    long read = base.version();
    return switch (Landing.of(base, operation, properties)) {
      case Landing.Refused refused -> new CommitOutcome.Conflict(refused.reason());
      case Landing.Lost lost -> new CommitOutcome.Unknown(lost.cause());
      case Landing.Landed landed -> landed(read, landed, files);
    };
  }

  private static CommitOutcome landed(
      long read, Landing.Landed landed, Optional<TableFiles> files) {
    if (landed.version() != read + 1) {
      return new CommitOutcome.Unknown(
          new TableException(
              "a commit that had read version " + read + " landed at " + landed.version()));
    }
    try {
      if (files.isPresent()) {
        files.get().syncCommit(read, landed.uuid(), landed.version());
      }
      return new CommitOutcome.Committed(landed.version());
    } catch (IOException e) {
      // It has landed, but a second sync would prove nothing. The barrier that follows writes a new
      // manifest, whose sync does.
      return new CommitOutcome.Unknown(e);
    }
  }
}

package io.contextstore.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment that is being written: encodes groups, hands them to the file in one gathering write
 * and one sync, and remembers what is durable. Its state moves only after a successful sync, so
 * after a failure {@link #cut} returns to it. For one thread.
 */
final class ActiveSegment {
  private final SegmentHeader header;
  private final SegmentFile file;
  private final List<ByteBuffer> gathered = new ArrayList<>();
  private ByteBuffer heads = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);
  private long end;
  private long frames;

  /** Continues a segment that has {@code frames} frames, the last of which ends at {@code end}. */
  ActiveSegment(SegmentHeader header, SegmentFile file, long end, long frames) {
    this.header = header;
    this.file = file;
    this.end = end;
    this.frames = frames;
  }

  /**
   * Makes a new, empty segment, durably. It gets its name only when its header is synced, so under
   * that name there is never a torn one; a segment that had the name is replaced in one step.
   */
  static ActiveSegment create(LogFolder folder, SegmentHeader header) throws IOException {
    Path name = LogFiles.segment(folder.path(), header.number());
    Path temporary = LogFiles.temporary(name);
    SegmentFile file = folder.create(temporary);
    try {
      file.write(List.of(header.encode()));
      file.force();
      folder.rename(temporary, name);
      folder.sync();
    } catch (IOException | RuntimeException | Error e) {
      try {
        file.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    return new ActiveSegment(header, file, SegmentHeader.LENGTH, 0);
  }

  SegmentHeader header() {
    return header;
  }

  long nextLsn() {
    return header.firstLsn() + frames;
  }

  SegmentInfo info() {
    return new SegmentInfo(header.number(), header.firstLsn(), nextLsn() - 1, false, end, frames);
  }

  /** Writes and syncs a group. On failure the file holds an unknown part of it. */
  void append(List<FrameDraft> group) throws IOException {
    long durable = nextLsn() - 1;
    long lsn = nextLsn();
    long length = 0;
    startGathering(group.size());
    for (FrameDraft frame : group) {
      gather(frame.kind(), frame.body(), lsn++, durable);
      length += FrameHeader.frameLength(frame.body().length());
    }
    writeGathered();
    end += length;
    frames += group.size();
  }

  /** Writes and syncs the footer. The file stays open. */
  SegmentInfo seal() throws IOException {
    SegmentFooter footer = new SegmentFooter(frames, header.firstLsn(), nextLsn() - 1, end, 0, 0);
    startGathering(1);
    gather(FrameKind.SEAL, FrameBody.of(List.of(footer.encode())), nextLsn(), nextLsn() - 1);
    writeGathered();
    end += SegmentFooter.FRAME_LENGTH;
    return new SegmentInfo(header.number(), header.firstLsn(), nextLsn() - 1, true, end, frames);
  }

  /** Removes, durably, what a failed call may have left. */
  void cut() throws IOException {
    file.cut(end);
  }

  void close() throws IOException {
    file.close();
  }

  private void startGathering(int count) {
    int room = Math.multiplyExact(count, FrameHeader.LENGTH + FrameHeader.ALIGNMENT);
    if (heads.capacity() < room) {
      heads = ByteBuffer.allocateDirect(room * 2).order(ByteOrder.LITTLE_ENDIAN);
    }
    heads.clear();
    gathered.clear();
  }

  private void gather(FrameKind kind, FrameBody body, long lsn, long durable) {
    int start = heads.position();
    new FrameHeader(kind.code(), lsn, durable, header.salt(), body.length(), body.checksum())
        .encode(heads);
    gathered.add(heads.slice(start, FrameHeader.LENGTH));
    body.addTo(gathered);
    int padding = FrameHeader.padding(body.length());
    if (padding > 0) {
      gathered.add(heads.slice(heads.position(), padding));
      heads.putLong(0);
    }
  }

  private void writeGathered() throws IOException {
    try {
      file.write(gathered);
      file.force();
    } finally {
      // Holds views of callers' memory, which is theirs again from here on.
      gathered.clear();
    }
  }
}

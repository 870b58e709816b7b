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
  private final List<Long> payloads;
  private long end;
  private long frames;
  private long payloadBytes;

  /**
   * Continues a segment.
   *
   * @param end offset behind the last frame
   * @param frames number of frames
   * @param payloads payload files that they refer to
   * @param payloadBytes bytes of the bodies in those
   */
  ActiveSegment(
      SegmentHeader header,
      SegmentFile file,
      long end,
      long frames,
      List<Long> payloads,
      long payloadBytes) {
    this.header = header;
    this.file = file;
    this.end = end;
    this.frames = frames;
    this.payloads = new ArrayList<>(payloads);
    this.payloadBytes = payloadBytes;
  }

  /**
   * Makes a new, empty segment, durably. It gets its name only when its header is synced, so under
   * that name there is never a torn one; a segment that had the name is replaced in one step.
   */
  static ActiveSegment create(LogFolder folder, SegmentHeader header) throws IOException {
    Path name = LogFiles.segment(folder.path(), header.number());
    Path temporary = LogFiles.temporary(name);
    try (SegmentFile file = folder.create(temporary)) {
      file.write(List.of(header.encode()));
      file.force();
    }
    folder.rename(temporary, name);
    folder.sync();
    return new ActiveSegment(header, folder.append(name), SegmentHeader.LENGTH, 0, List.of(), 0);
  }

  SegmentHeader header() {
    return header;
  }

  long nextLsn() {
    return header.firstLsn() + frames;
  }

  LocalSegment state() {
    return state(false);
  }

  private LocalSegment state(boolean sealed) {
    SegmentInfo info =
        new SegmentInfo(
            header.number(), header.firstLsn(), nextLsn() - 1, sealed, end + payloadBytes, frames);
    return new LocalSegment(info, end, List.copyOf(payloads));
  }

  /** Writes and syncs a group. On failure the file holds an unknown part of it. */
  void append(List<FrameDraft> group) throws IOException {
    long durable = nextLsn() - 1;
    long lsn = nextLsn();
    long length = 0;
    List<StagedBody> staged = new ArrayList<>(0);
    startGathering(group.size());
    for (FrameDraft frame : group) {
      length +=
          switch (frame.content()) {
            case FrameBody body -> gather(frame.kind(), body, lsn, durable);
            case StagedBody body -> {
              staged.add(body);
              FrameBody reference =
                  FrameBody.of(List.of(new PayloadReference(frame.kind(), body).encode()));
              yield gather(FrameKind.PAYLOAD_REFERENCE, reference, lsn, durable);
            }
          };
      lsn++;
    }
    writeGathered();
    end += length;
    frames += group.size();
    for (StagedBody body : staged) {
      payloads.add(body.number());
      payloadBytes += body.length();
    }
  }

  /** Writes and syncs the footer. The file stays open. */
  LocalSegment seal() throws IOException {
    SegmentFooter footer =
        new SegmentFooter(
            frames, header.firstLsn(), nextLsn() - 1, end, payloads.size(), payloadBytes);
    startGathering(1);
    long length =
        gather(FrameKind.SEAL, FrameBody.of(List.of(footer.encode())), nextLsn(), nextLsn() - 1);
    writeGathered();
    end += length;
    return state(true);
  }

  /** Removes, durably, what a failed call may have left. */
  void cut() throws IOException {
    file.cut(end);
  }

  /**
   * Makes durable what was read back and may be in memory only; see {@link SegmentFile#rewrite}.
   */
  void rewrite(long from) throws IOException {
    file.rewrite(from);
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

  /** Returns the length of the frame. */
  private long gather(FrameKind kind, FrameBody body, long lsn, long durable) {
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
    return FrameHeader.frameLength(body.length());
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

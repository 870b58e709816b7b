package io.contextstore.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Frames with text for a body, and logs read back as lists of them. */
final class Frames {
  static final LogIdentity IDENTITY = new LogIdentity("0a1b2c3d", "5e".repeat(32));

  /** A frame as a test sees it. */
  record Read(long lsn, FrameKind kind, String body) {}

  private Frames() {}

  static FrameBody body(String text) {
    return FrameBody.of(parts(text));
  }

  static List<ByteBuffer> parts(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return List.of(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
  }

  static FrameDraft rows(String text) {
    return new FrameDraft(FrameKind.ROWS, body(text));
  }

  static FrameDraft tombstones(String text) {
    return new FrameDraft(FrameKind.TOMBSTONES, body(text));
  }

  static List<Read> read(WriteAheadLog log, long segment) {
    List<Read> frames = new ArrayList<>();
    try (SegmentReader reader = log.read(segment)) {
      for (Optional<Frame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
        ByteBuffer body = ByteBuffer.allocateDirect(frame.get().bodyLength());
        reader.copyBody(body);
        frames.add(
            new Read(
                frame.get().lsn(),
                frame.get().kind(),
                StandardCharsets.UTF_8.decode(body.flip()).toString()));
      }
    }
    return frames;
  }

  static List<Read> readAll(WriteAheadLog log) {
    List<Read> frames = new ArrayList<>();
    for (SegmentInfo segment : log.segments()) {
      frames.addAll(read(log, segment.number()));
    }
    return frames;
  }

  static List<String> bodies(WriteAheadLog log) {
    return readAll(log).stream().map(Read::body).toList();
  }
}

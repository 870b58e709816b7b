package io.contextstore.log;

import io.contextstore.log.FrameWalk.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads a segment file up to the end that was durable when the reader was made. */
final class LocalSegmentReader implements SegmentReader {
  private final String place;
  private final FileChannel channel;
  private final FileWindow window;
  private final FrameWalk walk;
  private final boolean sealed;
  private Step.@Nullable Data unread;
  private boolean ended;

  private LocalSegmentReader(
      String place, FileChannel channel, FileWindow window, SegmentHeader header, boolean sealed) {
    this.place = place;
    this.channel = channel;
    this.window = window;
    this.walk = new FrameWalk(window, header, false);
    this.sealed = sealed;
  }

  static LocalSegmentReader open(LogFolder folder, SegmentInfo segment) {
    Path file = LogFiles.segment(folder.path(), segment.number());
    String place = String.valueOf(file.getFileName());
    FileChannel channel;
    try {
      channel = folder.read(file);
    } catch (IOException e) {
      throw new LogIoException("cannot open " + place, e);
    }
    try {
      FileWindow window = new FileWindow(channel, Math.min(segment.bytes(), channel.size()));
      int index = window.seek(0, SegmentHeader.LENGTH);
      if (SegmentHeader.parse(window.bytes().slice(index, window.bytes().limit() - index))
          instanceof SegmentHeader.Parsed.Whole whole) {
        return new LocalSegmentReader(place, channel, window, whole.header(), segment.sealed());
      }
      throw new LogCorruptException(place, 0, "the segment header is damaged");
    } catch (IOException e) {
      closeAfter(channel, e);
      throw new LogIoException("cannot read " + place, e);
    } catch (RuntimeException | Error e) {
      closeAfter(channel, e);
      throw e;
    }
  }

  private static void closeAfter(FileChannel channel, Throwable failure) {
    try {
      channel.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public Optional<Frame> next() {
    unread = null;
    if (ended) {
      return Optional.empty();
    }
    try {
      return switch (walk.next()) {
        case Step.Data data -> {
          unread = data;
          FrameHeader head = data.head();
          yield Optional.of(
              new Frame(
                  head.kindCode() == FrameKind.ROWS.code() ? FrameKind.ROWS : FrameKind.TOMBSTONES,
                  head.lsn(),
                  head.durableLsn(),
                  head.bodyLength()));
        }
        case Step.Seal seal -> end();
        case Step.End end -> {
          if (sealed) {
            throw corrupt("the footer is missing");
          }
          yield end();
        }
        case Step.Bad bad -> throw corrupt(bad.problem());
        case Step.Contradiction contradiction -> throw corrupt(contradiction.problem());
        case Step.Unknown unknown -> throw unknown(place, unknown.kindCode());
      };
    } catch (IOException e) {
      throw new LogIoException("cannot read " + place, e);
    }
  }

  private Optional<Frame> end() {
    ended = true;
    return Optional.empty();
  }

  @Override
  public void copyBody(ByteBuffer target) {
    Step.Data frame = unread;
    if (frame == null) {
      throw new IllegalStateException("no frame, or its body was copied before");
    }
    int length = frame.head().bodyLength();
    if (target.remaining() < length) {
      throw new IllegalArgumentException(
          "room for %d bytes, the body has %d".formatted(target.remaining(), length));
    }
    unread = null;
    ByteBuffer body = target.slice(target.position(), length);
    try {
      window.copy(frame.offset() + FrameHeader.LENGTH, body);
    } catch (IOException e) {
      throw new LogIoException("cannot read " + place, e);
    }
    CRC32C crc = new CRC32C();
    crc.update(body.flip());
    if ((int) crc.getValue() != frame.head().bodyChecksum()) {
      throw new LogCorruptException(
          place, frame.offset(), "the checksum of the frame's body is wrong");
    }
    target.position(target.position() + length);
  }

  static LogMismatchException unknown(String place, int kindCode) {
    return new LogMismatchException(
        "%s has a frame of kind %d, which this version does not know".formatted(place, kindCode),
        null);
  }

  private LogCorruptException corrupt(String problem) {
    return new LogCorruptException(place, walk.offset(), problem);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new LogIoException("cannot close " + place, e);
    }
  }
}

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
  private final LogFolder folder;
  private final String place;
  private final FileChannel channel;
  private final FileWindow window;
  private final FrameWalk walk;
  private final LogIdentity identity;
  private final boolean sealed;
  private Step.@Nullable Data unread;
  private boolean ended;

  private LocalSegmentReader(
      LogFolder folder,
      String place,
      FileChannel channel,
      FileWindow window,
      SegmentHeader header,
      boolean sealed) {
    this.folder = folder;
    this.place = place;
    this.channel = channel;
    this.window = window;
    this.walk = new FrameWalk(window, header, false);
    this.identity = header.identity();
    this.sealed = sealed;
  }

  static LocalSegmentReader open(LogFolder folder, LocalSegment segment) {
    Path file = LogFiles.segment(folder.path(), segment.info().number());
    String place = String.valueOf(file.getFileName());
    FileChannel channel;
    try {
      channel = folder.read(file);
    } catch (IOException e) {
      throw new LogIoException("cannot open " + place, e);
    }
    try {
      FileWindow window = new FileWindow(channel, Math.min(segment.fileBytes(), channel.size()));
      int index = window.seek(0, SegmentHeader.LENGTH);
      if (SegmentHeader.parse(window.bytes().slice(index, window.bytes().limit() - index))
          instanceof SegmentHeader.Parsed.Whole whole) {
        return new LocalSegmentReader(
            folder, place, channel, window, whole.header(), segment.info().sealed());
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
              new Frame(data.kind(), head.lsn(), head.durableLsn(), bodyLength(data)));
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
    int length = bodyLength(frame);
    if (target.remaining() < length) {
      throw new IllegalArgumentException(
          "room for %d bytes, the body has %d".formatted(target.remaining(), length));
    }
    unread = null;
    ByteBuffer body = target.slice(target.position(), length);
    try {
      String problem =
          frame.payload().isPresent()
              ? PayloadFile.read(folder, identity, frame.payload().get(), body)
              : copyInline(frame, body);
      if (!problem.isEmpty()) {
        throw new LogCorruptException(place, frame.offset(), problem);
      }
    } catch (IOException e) {
      throw new LogIoException("cannot read " + place, e);
    }
    target.position(target.position() + length);
  }

  private String copyInline(Step.Data frame, ByteBuffer body) throws IOException {
    window.copy(frame.offset() + FrameHeader.LENGTH, body);
    CRC32C crc = new CRC32C();
    crc.update(body.flip());
    return (int) crc.getValue() == frame.head().bodyChecksum()
        ? ""
        : "the checksum of the frame's body is wrong";
  }

  private static int bodyLength(Step.Data frame) {
    return frame.payload().map(StagedBody::length).orElse(frame.head().bodyLength());
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

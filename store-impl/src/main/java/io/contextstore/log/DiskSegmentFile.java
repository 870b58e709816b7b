package io.contextstore.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A segment file of the local file system.
 *
 * <p>An interrupt that is pending is held back until a call is over; one in mid-call closes the
 * channel and fails the call, and {@link #cut} opens the file again. So a file must keep its name
 * as long as it is written to.
 */
final class DiskSegmentFile implements SegmentFile {
  private static final int REWRITE_CHUNK = 64 * 1024;

  private final Path file;
  private FileChannel channel;
  private volatile boolean closed;

  private DiskSegmentFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static DiskSegmentFile create(Path file) throws IOException {
    return new DiskSegmentFile(
        file,
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING));
  }

  static DiskSegmentFile append(Path file) throws IOException {
    return new DiskSegmentFile(file, openAtEnd(file));
  }

  private static FileChannel openAtEnd(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      return channel.position(channel.size());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void write(List<ByteBuffer> buffers) throws IOException {
    ByteBuffer[] sources = buffers.toArray(ByteBuffer[]::new);
    Uninterrupted.once(
        () -> {
          int next = 0;
          while (next < sources.length) {
            if (sources[next].hasRemaining()) {
              channel.write(sources, next, sources.length - next);
            } else {
              next++;
            }
          }
        });
  }

  @Override
  public void force() throws IOException {
    Uninterrupted.once(() -> channel.force(false));
  }

  @Override
  public void cut(long size) throws IOException {
    Uninterrupted.repeatedly(
        () -> {
          if (!channel.isOpen()) {
            if (closed) {
              throw new ClosedChannelException();
            }
            channel = openAtEnd(file);
          }
          channel.truncate(size);
          channel.position(size);
          channel.force(true);
        });
  }

  @Override
  public void rewrite(long from) throws IOException {
    Uninterrupted.once(
        () -> {
          ByteBuffer chunk = ByteBuffer.allocate(REWRITE_CHUNK);
          long at = from;
          while (channel.read(chunk.clear(), at) > 0) {
            chunk.flip();
            while (chunk.hasRemaining()) {
              at += channel.write(chunk, at);
            }
          }
          channel.force(true);
        });
  }

  @Override
  public void close() throws IOException {
    closed = true;
    channel.close();
  }
}

package io.contextstore.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A folder that fails as it is told to and forgets what was not synced. It keeps real files, so
 * that they can be read, and beside them an image of what the disk would hold after a loss of
 * power: the bytes at each file's last sync and the names at the folder's last sync.
 */
final class FaultyFolder implements LogFolder {
  /** What changes the disk. */
  enum Op {
    CREATE,
    WRITE,
    FORCE,
    CUT,
    REWRITE,
    RENAME,
    DELETE,
    SYNC_FOLDER
  }

  /** Decides what happens to each operation; the default lets everything pass. */
  interface Faults {
    /** Runs before the operation, which does not happen if this throws. May block. */
    default void before(Op op, Path file) throws IOException {}

    /** Bytes of a write that get to the file before it fails; negative lets it pass. */
    default long tear(Path file, long length) {
      return -1;
    }

    /** Runs after the operation has happened. */
    default void after(Op op, Path file) throws IOException {}
  }

  private static final class Inode {
    private byte[] durable = {};
  }

  private final Path folder;
  private final Map<String, Inode> names = new TreeMap<>();
  private final List<Map<String, Inode>> namesSinceSync = new ArrayList<>();
  private volatile Faults faults = new Faults() {};

  FaultyFolder(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
    for (Path file : list()) {
      Inode inode = new Inode();
      inode.durable = Files.readAllBytes(file);
      names.put(file.getFileName().toString(), inode);
    }
    namesSinceSync.add(new TreeMap<>(names));
  }

  FaultyFolder with(Faults newFaults) {
    faults = newFaults;
    return this;
  }

  @Override
  public Path path() {
    return folder;
  }

  @Override
  public List<Path> list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Override
  public SegmentFile create(Path file) throws IOException {
    perform(
        Op.CREATE,
        file,
        () -> {
          Files.write(file, new byte[0]);
          changeNames(() -> names.put(file.getFileName().toString(), new Inode()));
        });
    return new FaultyFile(file);
  }

  @Override
  public SegmentFile append(Path file) throws IOException {
    return new FaultyFile(file);
  }

  @Override
  public FileChannel read(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    perform(
        Op.RENAME,
        to,
        () -> {
          Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
          changeNames(
              () -> {
                Inode inode = names.remove(from.getFileName().toString());
                names.put(to.getFileName().toString(), inode);
              });
        });
  }

  @Override
  public void delete(Path file) throws IOException {
    perform(
        Op.DELETE,
        file,
        () -> {
          Files.deleteIfExists(file);
          changeNames(() -> names.remove(file.getFileName().toString()));
        });
  }

  @Override
  public void sync() throws IOException {
    perform(
        Op.SYNC_FOLDER,
        folder,
        () -> {
          synchronized (this) {
            namesSinceSync.clear();
            namesSinceSync.add(new TreeMap<>(names));
          }
        });
  }

  private synchronized void changeNames(Runnable change) {
    change.run();
    namesSinceSync.add(new TreeMap<>(names));
  }

  private synchronized Inode inode(Path file) {
    return names.get(file.getFileName().toString());
  }

  /**
   * Writes into {@code target} what a loss of power now could leave: names as of some moment since
   * the last sync of the folder, and for each file its synced bytes and some part, perhaps garbled,
   * of what was written after.
   */
  synchronized void losePower(Path target, Random random) throws IOException {
    Files.createDirectories(target);
    Map<Inode, byte[]> contents = new HashMap<>();
    for (Map.Entry<String, Inode> entry : names.entrySet()) {
      contents.put(entry.getValue(), Files.readAllBytes(folder.resolve(entry.getKey())));
    }
    Map<String, Inode> survived = namesSinceSync.get(random.nextInt(namesSinceSync.size()));
    for (Map.Entry<String, Inode> entry : survived.entrySet()) {
      Inode inode = entry.getValue();
      byte[] now = contents.getOrDefault(inode, inode.durable);
      Files.write(target.resolve(entry.getKey()), damaged(inode.durable, now, random));
    }
  }

  private static byte[] damaged(byte[] durable, byte[] now, Random random) {
    if (now.length <= durable.length) {
      return durable;
    }
    int extra = now.length - durable.length;
    byte[] image = Arrays.copyOf(durable, durable.length + random.nextInt(extra + 1));
    int kept = image.length - durable.length;
    System.arraycopy(now, durable.length, image, durable.length, kept);
    if (kept > 0 && random.nextBoolean()) {
      int from = durable.length + random.nextInt(kept);
      int to = from + random.nextInt(image.length - from) + 1;
      Arrays.fill(image, from, to, random.nextBoolean() ? 0 : (byte) random.nextInt());
    }
    return image;
  }

  private interface Action {
    void run() throws IOException;
  }

  private void perform(Op op, Path file, Action action) throws IOException {
    faults.before(op, file);
    action.run();
    faults.after(op, file);
  }

  private final class FaultyFile implements SegmentFile {
    private final FileChannel channel;
    private final Inode inode;
    private final Path file;

    FaultyFile(Path file) throws IOException {
      this.file = file;
      this.inode = inode(file);
      this.channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public void write(List<ByteBuffer> buffers) throws IOException {
      faults.before(Op.WRITE, file);
      long length = buffers.stream().mapToLong(ByteBuffer::remaining).sum();
      long torn = faults.tear(file, length);
      long room = torn < 0 ? length : torn;
      for (ByteBuffer buffer : buffers) {
        int count = (int) Math.min(room, buffer.remaining());
        ByteBuffer part = buffer.slice(buffer.position(), count);
        while (part.hasRemaining()) {
          channel.write(part, channel.size());
        }
        room -= count;
      }
      if (torn >= 0) {
        throw new IOException("torn write, as told");
      }
      faults.after(Op.WRITE, file);
    }

    @Override
    public void force() throws IOException {
      perform(Op.FORCE, file, this::remember);
    }

    @Override
    public void cut(long size) throws IOException {
      perform(
          Op.CUT,
          file,
          () -> {
            channel.truncate(size);
            remember();
          });
    }

    @Override
    public void rewrite(long from) throws IOException {
      perform(Op.REWRITE, file, this::remember);
    }

    private void remember() throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
      int count = 0;
      while (bytes.hasRemaining() && count >= 0) {
        count = channel.read(bytes, bytes.position());
      }
      inode.durable = bytes.array();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}

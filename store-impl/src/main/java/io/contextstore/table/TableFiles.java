package io.contextstore.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;
import org.lance.index.Index;

/**
 * The files of one local table: their names, their syncs, and how a damaged version is set aside.
 *
 * <pre>
 * &lt;table&gt;/
 *   data/&lt;name&gt;.lance                                   rows
 *   _deletions/&lt;fragment&gt;-&lt;read version&gt;-&lt;id&gt;.arrow|bin   deletion vectors
 *   _indices/&lt;uuid&gt;/...                                 indices
 *   _transactions/&lt;read version&gt;-&lt;uuid&gt;.txn             what a commit did
 *   _versions/&lt;2^64 - 1 - version, 20 digits&gt;.manifest  a version
 *   _versions/latest_version_hint.json                  a hint only; deleted when it may mislead
 *   _versions/&lt;...&gt;.manifest.damaged-&lt;n&gt;                a version that was set aside
 * </pre>
 *
 * A manifest ends with {@code position of the body (i64) | major (u16) | minor (u16) | "LANC"}; its
 * body is {@code length (u32) | protobuf} and fills the file up to that footer.
 */
final class TableFiles {
  private static final String DATA = "data";
  private static final String DELETIONS = "_deletions";
  private static final String INDICES = "_indices";
  private static final String TRANSACTIONS = "_transactions";
  private static final String VERSIONS = "_versions";
  private static final String HINT = "latest_version_hint.json";
  private static final String LANCE = ".lance";
  private static final String MANIFEST = ".manifest";
  private static final String TRANSACTION = ".txn";
  private static final String DAMAGED = ".damaged-";
  private static final int MANIFEST_DIGITS = 20;
  private static final int FOOTER_BYTES = 16;
  private static final int LENGTH_BYTES = 4;
  private static final byte[] MAGIC = "LANC".getBytes(StandardCharsets.US_ASCII);

  private final Path folder;
  private final SyncThreads sync;

  TableFiles(Path folder, SyncThreads sync) {
    this.folder = folder;
    this.sync = sync;
  }

  private Path manifest(long version) {
    return folder.resolve(VERSIONS).resolve(Long.toUnsignedString(~version) + MANIFEST);
  }

  private Path data(DataFile file) {
    return folder.resolve(DATA).resolve(file.getPath());
  }

  private Path deletion(int fragment, DeletionFile file) {
    String suffix = file.getFileType() == DeletionFileType.ARRAY ? ".arrow" : ".bin";
    String id = Long.toUnsignedString(file.getId());
    return folder
        .resolve(DELETIONS)
        .resolve(fragment + "-" + file.getReadVersion() + "-" + id + suffix);
  }

  /** The versions whose manifests are there, whole or not, newest first. */
  List<Long> versions() throws IOException {
    List<Long> versions = new ArrayList<>();
    for (Path file : list(folder.resolve(VERSIONS))) {
      String name = file.getFileName().toString();
      if (name.endsWith(MANIFEST) && name.length() == MANIFEST_DIGITS + MANIFEST.length()) {
        versions.add(~Long.parseUnsignedLong(name, 0, MANIFEST_DIGITS, 10));
      }
    }
    versions.sort(Comparator.reverseOrder());
    return versions;
  }

  /**
   * What is wrong with the form of a manifest. Needed because Lance opens a manifest of zeros with
   * a good footer as an empty table.
   */
  Optional<String> manifestDamage(long version) throws IOException {
    try (FileChannel channel = FileChannel.open(manifest(version), StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < FOOTER_BYTES + LENGTH_BYTES) {
        return Optional.of("its manifest has only " + size + " bytes");
      }
      ByteBuffer footer = read(channel, size - FOOTER_BYTES, FOOTER_BYTES);
      long body = footer.getLong();
      footer.position(FOOTER_BYTES - MAGIC.length);
      if (!footer.equals(ByteBuffer.wrap(MAGIC))) {
        return Optional.of("its manifest has no footer");
      }
      if (body < 0 || body > size - FOOTER_BYTES - LENGTH_BYTES) {
        return Optional.of("its manifest's footer points outside");
      }
      long length = Integer.toUnsignedLong(read(channel, body, LENGTH_BYTES).getInt());
      if (length == 0 || body + LENGTH_BYTES + length + FOOTER_BYTES != size) {
        return Optional.of("its manifest's body has the wrong length");
      }
      return Optional.empty();
    }
  }

  private static ByteBuffer read(FileChannel channel, long from, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        throw new IOException("a file of the table shrank while it was read");
      }
    }
    return buffer.flip();
  }

  /** Which file of a fragment is missing or has another size than it should. */
  Optional<String> damage(FragmentMetadata fragment) throws IOException {
    for (DataFile file : fragment.getFiles()) {
      // Only files of this folder: a shallow clone's lie with its base.
      if (file.getBaseId().isEmpty()) {
        Optional<String> damage = damage(data(file), file.getFileSizeBytes());
        if (damage.isPresent()) {
          return damage;
        }
      }
    }
    DeletionFile deletions = fragment.getDeletionFile();
    return deletions == null || deletions.getBaseId().isPresent()
        ? Optional.empty()
        : damage(deletion(fragment.getId(), deletions), null);
  }

  /**
   * Whether the files of an index are there. Their sizes are not known, but a file that Lance has
   * written to its end says so in its last bytes.
   */
  Optional<String> damage(Index index) throws IOException {
    if (index.baseId().isPresent()) {
      return Optional.empty();
    }
    Path files = indexFolder(index);
    List<Path> found = list(files);
    if (found.isEmpty()) {
      return Optional.of(relative(files) + " has no files");
    }
    if (KeyIndex.isOurs(index)) {
      for (String name : KeyIndex.FILES) {
        if (!found.contains(files.resolve(name))) {
          return Optional.of(relative(files.resolve(name)) + " is missing");
        }
      }
    }
    for (Path file : found) {
      Optional<String> damage = damage(file, null);
      if (damage.isPresent()) {
        return damage;
      }
      if (file.toString().endsWith(LANCE) && !endsWithMagic(file)) {
        return Optional.of(relative(file) + " is cut off");
      }
    }
    return Optional.empty();
  }

  private static boolean endsWithMagic(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      return size >= MAGIC.length
          && read(channel, size - MAGIC.length, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
    }
  }

  private Optional<String> damage(Path file, @Nullable Long expectedBytes) throws IOException {
    long bytes;
    try {
      bytes = Files.size(file);
    } catch (NoSuchFileException e) {
      return Optional.of(relative(file) + " is missing");
    }
    if (expectedBytes != null && expectedBytes > 0 && bytes != expectedBytes) {
      return Optional.of(relative(file) + " has " + bytes + " bytes instead of " + expectedBytes);
    }
    return bytes == 0 ? Optional.of(relative(file) + " is empty") : Optional.empty();
  }

  private Path indexFolder(Index index) {
    return folder.resolve(INDICES).resolve(index.uuid().toString());
  }

  private String relative(Path file) {
    return folder.relativize(file).toString();
  }

  /**
   * Renames a version's manifest so that Lance no longer sees it, and makes that durable. Nothing
   * is deleted: an engineer may want to look at it.
   */
  void setAside(long version) throws IOException {
    Path from = manifest(version);
    Path versions = folder.resolve(VERSIONS);
    int number = 1;
    while (Files.exists(damagedName(from, number))) {
      number++;
    }
    Files.move(from, damagedName(from, number), StandardCopyOption.ATOMIC_MOVE);
    Files.deleteIfExists(versions.resolve(HINT));
    sync.syncAll(List.of(versions));
  }

  private static Path damagedName(Path manifest, int number) {
    return manifest.resolveSibling(manifest.getFileName() + DAMAGED + number);
  }

  /** Syncs the files that fragments and indices name, then the folders that they lie in. */
  void syncContents(List<FragmentMetadata> fragments, List<Index> indices) throws IOException {
    List<Path> found = new ArrayList<>();
    Set<Path> folders = new LinkedHashSet<>();
    for (FragmentMetadata fragment : fragments) {
      for (DataFile file : fragment.getFiles()) {
        if (file.getBaseId().isEmpty()) {
          found.add(data(file));
          folders.add(folder.resolve(DATA));
        }
      }
      DeletionFile vector = fragment.getDeletionFile();
      if (vector != null && vector.getBaseId().isEmpty()) {
        found.add(deletion(fragment.getId(), vector));
        folders.add(folder.resolve(DELETIONS));
      }
    }
    for (Index index : indices) {
      found.addAll(list(indexFolder(index)));
      folders.add(indexFolder(index));
      folders.add(folder.resolve(INDICES));
    }
    folders.add(folder);
    sync.syncAll(found);
    sync.syncAll(List.copyOf(folders));
  }

  /** Syncs the manifests and transactions of all commits after a version, then their folders. */
  void syncCommitsAfter(long version) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : list(folder.resolve(TRANSACTIONS))) {
      if (readVersion(file) >= version) {
        found.add(file);
      }
    }
    for (long committed : versions()) {
      if (committed > version) {
        found.add(manifest(committed));
      }
    }
    syncCommitFiles(found);
  }

  /** Syncs one commit: its transaction, its manifest, then their folders. */
  void syncCommit(long readVersion, String uuid, long version) throws IOException {
    Path transaction = folder.resolve(TRANSACTIONS).resolve(readVersion + "-" + uuid + TRANSACTION);
    // Lance keeps a small transaction in the manifest as well; whether there is a file is up to it.
    syncCommitFiles(
        Files.exists(transaction)
            ? List.of(transaction, manifest(version))
            : List.of(manifest(version)));
  }

  private void syncCommitFiles(List<Path> files) throws IOException {
    sync.syncAll(files);
    List<Path> folders = new ArrayList<>(List.of(folder.resolve(VERSIONS), folder));
    Path transactions = folder.resolve(TRANSACTIONS);
    if (Files.isDirectory(transactions)) {
      folders.add(transactions);
    }
    sync.syncAll(folders);
  }

  /** Makes a new table's folder known to its parent. */
  void syncParent() throws IOException {
    Path parent = folder.getParent();
    if (parent != null) {
      sync.syncAll(List.of(parent));
    }
  }

  /** The version that a commit had read: the first part of its file's name; all ones if unclear. */
  private static long readVersion(Path transaction) {
    String name = transaction.getFileName().toString();
    int dash = name.indexOf('-');
    try {
      return dash < 0 ? Long.MAX_VALUE : Long.parseLong(name, 0, dash, 10);
    } catch (NumberFormatException e) {
      // Not a name that we know: syncing one file too many does no harm.
      return Long.MAX_VALUE;
    }
  }

  /** Deletes data files that no version will ever name: those of a commit that surely failed. */
  void deleteData(List<FragmentMetadata> fragments) throws IOException {
    for (FragmentMetadata fragment : fragments) {
      for (DataFile file : fragment.getFiles()) {
        Files.deleteIfExists(data(file));
      }
    }
  }

  /** Deletes deletion vectors that no version will ever name. */
  void deleteDeletions(List<FragmentMetadata> fragments) throws IOException {
    for (FragmentMetadata fragment : fragments) {
      DeletionFile vector = fragment.getDeletionFile();
      if (vector != null) {
        Files.deleteIfExists(deletion(fragment.getId(), vector));
      }
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(files::add);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }
}

package ebb.storage.store;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.port.Content;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import java.io.EOFException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Directories as containers and files as objects, in a directory that is there: a disk, or whatever
 * is mounted. An object appears under its name when it is written whole. Files keep no labels;
 * their container does. Reads and writes go through the page cache; honest figures of a disk are
 * another tool's work.
 */
public final class DirectoryStore implements ObjectStore {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int MAX_NAME_BYTES = 240;
  private static final String MARKER = ".ebb-container";
  private static final String PART = "~part";

  /** When an object counts as written. */
  public enum Sync {
    /** When the kernel has it. */
    NONE,
    /** When the device says that it has it (fsync). */
    EACH_OBJECT
  }

  private final Path root;
  private final Sync sync;

  /**
   * A store in {@code root}.
   *
   * @throws RequestFailedException when it is no directory that can be written to
   */
  public DirectoryStore(Path root, Sync sync) throws RequestFailedException {
    if (!Files.isDirectory(root)) {
      throw new RequestFailedException(
          FailureKind.NOT_FOUND, "there is no directory '" + root + "'");
    }
    if (!Files.isWritable(root)) {
      throw new RequestFailedException(FailureKind.NO_PERMISSION, "cannot write to '" + root + "'");
    }
    this.root = root;
    this.sync = sync;
  }

  @Override
  public String describe() {
    return "directory "
        + root
        + " (page cache, "
        + (sync == Sync.NONE ? "no fsync" : "fsync")
        + ")";
  }

  @Override
  public void createContainer(String container, Map<String, String> labels, StoreCall call)
      throws RequestFailedException {
    MemoryStore.checkName(container);
    Path directory = root.resolve(container);
    try {
      Files.createDirectory(directory);
      StringBuilder lines = new StringBuilder();
      new TreeMap<>(labels).forEach((key, value) -> lines.append(key + "=" + value + "\n"));
      Files.writeString(directory.resolve(MARKER), lines);
    } catch (IOException e) {
      throw translated(e, container);
    }
  }

  private Path directory(String container) throws RequestFailedException {
    MemoryStore.checkName(container);
    Path directory = root.resolve(container);
    if (!Files.isDirectory(directory)) {
      throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no '" + directory + "'");
    }
    return directory;
  }

  /** Any name becomes one file's, below its container and nowhere else. */
  private Path file(String container, String object) throws RequestFailedException {
    // '.' would stay as it is, and so "." and ".." too; '~' is never made here, so parts are apart.
    String name =
        URLEncoder.encode(object, StandardCharsets.UTF_8).replace(".", "%2E").replace("~", "%7E");
    if (name.isEmpty() || name.length() > MAX_NAME_BYTES) {
      throw new RequestFailedException(
          FailureKind.INVALID, "no name for an object: '" + object + "'");
    }
    return directory(container).resolve(name);
  }

  @Override
  public boolean put(
      String container,
      String object,
      Content content,
      boolean replace,
      Map<String, String> labels,
      StoreCall call)
      throws RequestFailedException, IOException {
    Path file = file(container, object);
    Path part = file.resolveSibling(file.getFileName() + PART);
    if (!replace && Files.exists(file)) {
      throw new RequestFailedException(FailureKind.ALREADY_EXISTS, "there is a '" + file + "'");
    }
    boolean kept = false;
    try {
      write(part, content, call);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      kept = true;
    } catch (FileSystemException e) {
      throw translated(e, object);
    } finally {
      if (!kept) {
        Files.deleteIfExists(part);
      }
    }
    return false;
  }

  private void write(Path part, Content content, StoreCall call)
      throws RequestFailedException, IOException {
    long length = content.length();
    ByteBuffer chunk = ByteBuffer.allocateDirect((int) Math.max(1, Math.min(CHUNK_BYTES, length)));
    try (FileChannel channel =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (long at = 0; at < length; at += chunk.capacity()) {
        call.halt();
        chunk.clear().limit((int) Math.min(chunk.capacity(), length - at));
        content.read(at, chunk);
        chunk.flip();
        call.resume();
        int bytes = chunk.remaining();
        while (chunk.hasRemaining()) {
          writeSome(channel, chunk);
        }
        call.moved(bytes);
      }
      if (sync == Sync.EACH_OBJECT) {
        channel.force(true);
      }
    }
  }

  /** What a full disk throws here has no type of its own, and must not look like the caller's. */
  private static void writeSome(FileChannel channel, ByteBuffer chunk)
      throws RequestFailedException {
    try {
      channel.write(chunk);
    } catch (IOException e) {
      throw translated(e, "");
    }
  }

  @Override
  public @Nullable Integer get(
      String container, String object, @Nullable Range range, Sink sink, StoreCall call)
      throws RequestFailedException, IOException {
    Path file = file(container, object);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Range all = MemoryStore.bounded(range, channel.size(), object);
      if (all == null) {
        return null;
      }
      ByteBuffer chunk = ByteBuffer.allocateDirect((int) Math.min(CHUNK_BYTES, all.length()));
      for (long at = all.offset(); at < all.end(); ) {
        chunk.clear().limit((int) Math.min(chunk.capacity(), all.end() - at));
        int bytes = channel.read(chunk, at);
        if (bytes < 0) {
          throw new EOFException("'" + object + "' became shorter while it was read");
        }
        sink.write(chunk.flip());
        call.moved(bytes);
        at += bytes;
      }
    } catch (FileSystemException e) {
      throw translated(e, object);
    }
    return null;
  }

  @Override
  public List<ObjectEntry> list(String container, String prefix, StoreCall call)
      throws RequestFailedException {
    List<ObjectEntry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory(container))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String encoded = file.getFileName().toString();
        if (encoded.equals(MARKER) || encoded.endsWith(PART)) {
          continue;
        }
        String name = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        if (name.startsWith(prefix)) {
          entries.add(new ObjectEntry(name, Files.size(file)));
        }
      }
    } catch (IOException e) {
      throw translated(e, container);
    }
    entries.sort(Comparator.comparing(ObjectEntry::name));
    return entries;
  }

  @Override
  public List<ContainerEntry> containers(String prefix, StoreCall call)
      throws RequestFailedException {
    List<ContainerEntry> found = new ArrayList<>();
    try (Stream<Path> directories = Files.list(root)) {
      for (Path directory : (Iterable<Path>) directories.sorted()::iterator) {
        String name = directory.getFileName().toString();
        // Without the marker it is a directory of somebody else's.
        if (name.startsWith(prefix) && Files.isRegularFile(directory.resolve(MARKER))) {
          found.add(new ContainerEntry(name, labels(directory.resolve(MARKER))));
        }
      }
    } catch (IOException e) {
      throw translated(e, root.toString());
    }
    return found;
  }

  private static Map<String, String> labels(Path marker) throws IOException {
    Map<String, String> labels = new TreeMap<>();
    for (String line : Files.readAllLines(marker)) {
      int sign = line.indexOf('=');
      if (sign > 0) {
        labels.put(line.substring(0, sign), line.substring(sign + 1));
      }
    }
    return labels;
  }

  @Override
  public ObjectEntry stat(String container, String object, StoreCall call)
      throws RequestFailedException {
    try {
      return new ObjectEntry(object, Files.size(file(container, object)), Map.of());
    } catch (IOException e) {
      throw translated(e, object);
    }
  }

  @Override
  public void delete(String container, String object, StoreCall call)
      throws RequestFailedException {
    try {
      Files.delete(file(container, object));
    } catch (IOException e) {
      throw translated(e, object);
    }
  }

  @Override
  public void deleteContainer(String container, StoreCall call) throws RequestFailedException {
    Path directory = directory(container);
    try {
      try (Stream<Path> files = Files.list(directory)) {
        if (files.anyMatch(file -> !file.getFileName().toString().equals(MARKER))) {
          throw new RequestFailedException(
              FailureKind.NOT_EMPTY, "'" + directory + "' is not empty");
        }
      }
      Files.deleteIfExists(directory.resolve(MARKER));
      Files.delete(directory);
    } catch (IOException e) {
      throw translated(e, container);
    }
  }

  private static RequestFailedException translated(IOException e, String what) {
    String quoted = what.isEmpty() ? "" : "'" + what + "': ";
    if (e instanceof NoSuchFileException) {
      return new RequestFailedException(FailureKind.NOT_FOUND, quoted + OneLine.of(e), e);
    }
    if (e instanceof FileAlreadyExistsException) {
      return new RequestFailedException(
          FailureKind.ALREADY_EXISTS, quoted + "it is there already", e);
    }
    if (e instanceof AccessDeniedException) {
      return new RequestFailedException(FailureKind.NO_PERMISSION, quoted + OneLine.of(e), e);
    }
    String lower = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (lower.contains("file too large")) {
      return new RequestFailedException(
          FailureKind.NO_SPACE, quoted + "no larger file is allowed", e);
    }
    if (lower.contains("no space left") || lower.contains("quota exceeded")) {
      return new RequestFailedException(
          FailureKind.NO_SPACE, quoted + "no space left on the device", e);
    }
    if (lower.contains("read-only file system")) {
      return new RequestFailedException(
          FailureKind.NO_PERMISSION, quoted + "a read-only file system", e);
    }
    return new RequestFailedException(FailureKind.INTERNAL, quoted + OneLine.of(e), e);
  }

  @Override
  public void close() {
    // Containers belong to whoever made them.
  }
}

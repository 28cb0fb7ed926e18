package ebb.files;

import ebb.core.cli.TerminalText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished content of one file: {@code KEY.part} in the part directory, where KEY is derived
 * from the file's name, and beside it, for files worth resuming, {@code KEY.txt} that tells a
 * person what it is. Nothing in the text is trusted; what a part file holds is proven by its hash.
 * Not thread-safe, but for what {@link #flushAhead} returns.
 */
final class PartFile implements Closeable {
  /** Smaller files are simply sent again. */
  static final long MIN_RESUME_BYTES = 256 << 10;

  private static final int KEY_HEX_DIGITS = 40;
  private static final String PART_SUFFIX = ".part";

  private final Path part;
  private final Path note;
  private final ModeKeeper modes;
  private final Set<Path> inUse;
  private @Nullable FileChannel channel;
  private final Flushes flushes = new Flushes();

  /**
   * @param inUse gets the part while it is open; shared by all of a receiver
   */
  PartFile(Path partDirectory, String name, ModeKeeper modes, Set<Path> inUse) {
    this.inUse = inUse;
    this.modes = modes;
    Sha256 digest = Sha256.of(Hashing.sha256().digest(name.getBytes(StandardCharsets.UTF_8)));
    String key = digest.hex().substring(0, KEY_HEX_DIGITS);
    part = partDirectory.resolve(key + PART_SUFFIX);
    note = noteOf(part);
  }

  /** The text beside a part file. */
  static Path noteOf(Path part) {
    String name = part.getFileName().toString();
    return part.resolveSibling(name.substring(0, name.length() - PART_SUFFIX.length()) + ".txt");
  }

  /** Somebody goes on with it: it does not expire now. */
  void touch() throws IOException {
    Files.setLastModifiedTime(part, FileTime.from(Instant.now()));
  }

  /** Length of what an earlier transfer left; 0 when there is nothing usable. */
  long length() throws IOException {
    BasicFileAttributes attributes = PathGuard.attributes(part);
    return attributes != null && attributes.isRegularFile() ? attributes.size() : 0;
  }

  /** For hashing what is there. */
  FileChannel openForReading() throws IOException {
    return FileChannel.open(part, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Opens the file for writing from {@code offset} on; anything after that is cut off.
   *
   * @throws FileSystemException when another process is writing it
   */
  void open(Frame.Offer offer, long offset) throws IOException {
    inUse.add(part);
    try {
      channel = openOwn(offset);
    } finally {
      if (channel == null) {
        inUse.remove(part);
      }
    }
    if (offer.sizeBytes() >= MIN_RESUME_BYTES) {
      writeNote(offer);
    }
  }

  private FileChannel openOwn(long offset) throws IOException {
    if (offset == 0) {
      try {
        return openLocked(StandardOpenOption.CREATE_NEW); // private and empty from its start
      } catch (FileAlreadyExistsException left) {
        // Of an earlier transfer.
      }
    }
    FileChannel opened = openLocked(StandardOpenOption.CREATE);
    if (links() > 1) {
      // A crash came between giving it its final name and taking away this one: writing here would
      // change the finished file.
      opened.close();
      Files.delete(part);
      opened = openLocked(StandardOpenOption.CREATE_NEW);
    }
    makePrivate();
    if (opened.size() < offset) {
      opened.close();
      throw new FileSystemException(part.toString(), null, "the part file became shorter");
    }
    return opened.truncate(offset).position(offset);
  }

  private void writeNote(Frame.Offer offer) throws IOException {
    String text =
        "The beginning of a file that is being received, or whose transfer broke.\n"
            + "Sending it again continues it. Safe to delete while no receiver runs.\n"
            + ("name " + TerminalText.printable(offer.path()) + "\n")
            + ("size " + offer.sizeBytes() + "\n");
    Set<OpenOption> options =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    try (FileChannel out = FileChannel.open(note, options, modes.privateFile())) {
      out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Unless it is the finished file as well: that keeps the mode it was given. */
  private void makePrivate() throws IOException {
    if (PathGuard.attributes(part) != null && links() == 1) {
      modes.makePrivate(part);
    }
  }

  private FileChannel openLocked(StandardOpenOption create) throws IOException {
    Set<OpenOption> options = Set.of(create, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    FileChannel opened;
    try {
      opened = FileChannel.open(part, options, modes.privateFile());
    } catch (AccessDeniedException readOnly) {
      // A crash came between giving it a mode without write permission and giving it its name.
      makePrivate();
      opened = FileChannel.open(part, options, modes.privateFile());
    }
    boolean mine = false;
    try {
      mine = opened.tryLock() != null;
    } catch (OverlappingFileLockException sameProcess) {
      mine = false;
    } finally {
      if (!mine) {
        opened.close();
      }
    }
    if (!mine) {
      throw new FileSystemException(part.toString(), null, "another process is receiving it");
    }
    return opened;
  }

  private int links() throws IOException {
    if (!part.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return 1;
    }
    return (Integer) Files.getAttribute(part, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
  }

  void write(ByteBuffer bytes) throws IOException {
    FileChannel out = opened();
    flushes.wrote(bytes.remaining());
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  /** Whether so much was written that the disk had better begin. */
  boolean wantsFlush() {
    return flushes.due();
  }

  /** A flush for another thread, while this one goes on; only where it {@link #wantsFlush}. */
  Runnable flushAhead() {
    FileChannel out = opened();
    return flushes.ahead(() -> out.force(false));
  }

  /**
   * Makes the content durable and gives it its final name.
   *
   * @throws FileAlreadyExistsException when {@code replace} is false and the name is taken
   */
  void publish(Frame.Offer offer, Path target, boolean replace) throws IOException {
    FileChannel out = opened();
    flushes.last(() -> out.force(true));
    Files.setLastModifiedTime(part, FileTime.fromMillis(offer.modifiedMillis()));
    modes.finalMode(part, offer.mode());
    boolean published = false;
    try {
      if (replace) {
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        publishNew(target);
      }
      published = true;
    } finally {
      if (!published) {
        makePrivate();
      }
    }
    close(); // not before, for it holds the lock
    Files.deleteIfExists(note);
  }

  /** A rename would replace a file that appeared meanwhile; a hard link does not. */
  private void publishNew(Path target) throws IOException {
    boolean linked = false;
    try {
      Files.createLink(target, part);
      linked = true;
    } catch (FileAlreadyExistsException taken) {
      throw taken;
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      // FAT and some network file systems have none.
      if (PathGuard.attributes(target) != null) {
        throw new FileAlreadyExistsException(target.toString());
      }
    }
    if (linked) {
      Files.deleteIfExists(part); // another receiver may clear it away
    } else {
      try {
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException otherDisk) {
        throw new FileSystemException(
            target.toString(), null, "it is on another file system than the receiver's directory");
      }
    }
  }

  /**
   * Removes what a crash has left of a file that has its final name: the name it had before, and
   * its note.
   */
  void clearAfter(Path target) throws IOException {
    if (PathGuard.attributes(part) == null) {
      Files.deleteIfExists(note);
    } else if (Files.isSameFile(part, target)) {
      delete();
    }
  }

  /** Removes it and its note. */
  void delete() throws IOException {
    close();
    Files.deleteIfExists(part);
    Files.deleteIfExists(note);
  }

  private FileChannel opened() {
    FileChannel out = channel;
    if (out == null) {
      throw new IllegalStateException("not open");
    }
    return out;
  }

  /** Lets go of the file, which stays. Idempotent. */
  @Override
  public void close() throws IOException {
    FileChannel out = channel;
    if (out != null) {
      channel = null;
      out.close();
      inUse.remove(part);
    }
  }
}

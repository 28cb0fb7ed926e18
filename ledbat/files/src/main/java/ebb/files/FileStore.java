package ebb.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The receiver's directory: names to paths, part files, and who is writing what. Shared by all
 * sessions of a receiver; thread-safe.
 */
final class FileStore {
  private final PathGuard guard;
  private final Path partDirectory;
  private final ModeKeeper modes;

  /** Looked up once: finding it reads the table of mounts. */
  private final java.nio.file.FileStore disk;

  private final Claims claims = new Claims();

  /** Parts that this process is writing. */
  private final Set<Path> partsInUse = ConcurrentHashMap.newKeySet();

  /**
   * @throws IOException when the directory does not exist or cannot be written; the message is one
   *     line
   */
  FileStore(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      throw new FileSystemException(directory.toString(), null, "there is no such directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new FileSystemException(directory.toString(), null, "it is not a directory");
    }
    guard = new PathGuard(directory);
    partDirectory = guard.root().resolve(ReservedName.PART_DIRECTORY);
    preparePartDirectory();
    modes = ModeKeeper.in(partDirectory);
    disk = Files.getFileStore(partDirectory);
  }

  /** Made at the start, so that a directory that cannot be written is found at once. */
  private void preparePartDirectory() throws IOException {
    try {
      Files.createDirectory(partDirectory, privateDirectory());
    } catch (FileAlreadyExistsException there) {
      BasicFileAttributes attributes = PathGuard.attributes(partDirectory);
      if (attributes == null || !attributes.isDirectory()) {
        throw new FileSystemException(
            partDirectory.toString(), null, "it is in the way; it must be a directory");
      }
      if (!Files.isWritable(partDirectory)) {
        throw new AccessDeniedException(partDirectory.toString());
      }
    }
  }

  private FileAttribute<?>[] privateDirectory() {
    return FileMode.isPosix(partDirectory)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(FileMode.permissions(FileMode.PRIVATE_DIRECTORY))
        }
        : new FileAttribute<?>[0];
  }

  PathGuard guard() {
    return guard;
  }

  ModeKeeper modes() {
    return modes;
  }

  Claims claims() {
    return claims;
  }

  PartFile partFile(String name) {
    return new PartFile(partDirectory, name, modes, partsInUse);
  }

  /** The part files as a whole. */
  PartExpiry parts() {
    return new PartExpiry(partDirectory, partsInUse::contains);
  }

  /** Bytes that can still be written. */
  long usableBytes() throws IOException {
    return disk.getUsableSpace();
  }

  /** For hashing a file that is there under its final name. */
  static FileChannel openExisting(Path target) throws IOException {
    return FileChannel.open(target, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** Makes renames in the directory durable, where the system can do that. */
  static void sync(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException unsupported) {
      return; // Windows cannot open a directory, and some file systems cannot sync one
    }
  }

  /** Removes the part directory if nothing is left in it. */
  void close() {
    try {
      Files.delete(partDirectory);
    } catch (IOException notEmpty) {
      return; // what is left there is to be resumed
    }
  }

  /** Whether an error means that there is no room left, for this user or at all. */
  static boolean isFull(IOException error) {
    String message = String.valueOf(error.getMessage());
    return message.contains("No space left")
        || message.contains("quota exceeded")
        || message.contains("not enough space")
        || message.contains("File too large");
  }
}

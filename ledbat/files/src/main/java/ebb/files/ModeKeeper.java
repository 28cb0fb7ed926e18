package ebb.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/**
 * Which modes things get at the receiver: never wider than the source's mode and this process's
 * umask allow, at no moment. What is not complete is for the owner alone. A file system without
 * modes keeps none. Immutable.
 */
final class ModeKeeper {
  private static final FileAttribute<?>[] NONE = {};

  /** What the umask leaves of 0777; {@link FileMode#UNKNOWN} where there are no modes. */
  private final int allowed;

  private final FileAttribute<?>[] privateFile;
  private final FileAttribute<?>[] privateDirectory;

  private ModeKeeper(int allowed) {
    this.allowed = allowed;
    privateFile = attributes(allowed, FileMode.PRIVATE_FILE);
    privateDirectory = attributes(allowed, FileMode.PRIVATE_DIRECTORY);
  }

  /**
   * Finds out what the umask, or the directory's default ACL, leaves.
   *
   * @param directory where a directory can be made for that, and removed again
   */
  static ModeKeeper in(Path directory) throws IOException {
    if (!FileMode.isPosix(directory)) {
      return new ModeKeeper(FileMode.UNKNOWN);
    }
    // Java has no umask(2); what a new directory gets is what it leaves.
    Path probe = Files.createDirectory(directory.resolve("umask-" + UUID.randomUUID()));
    try {
      return new ModeKeeper(FileMode.of(FileMode.attributes(probe)));
    } finally {
      Files.delete(probe);
    }
  }

  /** To make a file or directory with these bits at most; the system takes the umask's away. */
  private static FileAttribute<?>[] attributes(int allowed, int mode) {
    if (allowed == FileMode.UNKNOWN) {
      return NONE;
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(FileMode.permissions(mode))
    };
  }

  /** For files that are not complete. */
  FileAttribute<?>[] privateFile() {
    return privateFile.clone();
  }

  /** For directories of which no source has told a mode. */
  FileAttribute<?>[] privateDirectory() {
    return privateDirectory.clone();
  }

  /**
   * For a directory that was offered. Its owner can write to it until it is filled, see {@link
   * #finalMode}.
   */
  FileAttribute<?>[] directory(int offered) {
    return attributes(
        allowed, offered == FileMode.UNKNOWN ? FileMode.ALL : offered | FileMode.PRIVATE_DIRECTORY);
  }

  /** Whether a directory of that mode lets its owner fill it. */
  static boolean fillable(int offered) {
    return offered == FileMode.UNKNOWN
        || (offered & FileMode.PRIVATE_DIRECTORY) == FileMode.PRIVATE_DIRECTORY;
  }

  /** Gives a complete file, or a filled directory, what it keeps. */
  void finalMode(Path path, int offered) {
    set(path, offered == FileMode.UNKNOWN ? 0666 & allowed : offered & allowed);
  }

  /** Takes back what {@link #finalMode} gave, for the file is not published after all. */
  void makePrivate(Path file) {
    set(file, FileMode.PRIVATE_FILE);
  }

  private void set(Path path, int mode) {
    if (allowed == FileMode.UNKNOWN) {
      return;
    }
    try {
      Files.setPosixFilePermissions(path, FileMode.permissions(mode));
    } catch (IOException | UnsupportedOperationException noModes) {
      return; // FAT and its like, mounted: the mount decides about all files alike
    }
  }
}

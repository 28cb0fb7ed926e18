package ebb.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;

/**
 * The part files of a directory: how much they hold, and removing those that nobody has continued
 * for long. One that is being written, by this process or another, is left alone.
 */
final class PartExpiry {
  /** What was removed, or is there. */
  record Parts(int files, long bytes) {}

  private final Path partDirectory;
  private final Predicate<Path> inUse;

  /**
   * @param inUse whether this process is writing the part
   */
  PartExpiry(Path partDirectory, Predicate<Path> inUse) {
    this.partDirectory = partDirectory;
    this.inUse = inUse;
  }

  /** Those that nobody is writing, as far as this process knows. */
  Parts unused() {
    return walk(part -> !inUse.test(part));
  }

  /** Removes part files that were last written before {@code oldestMillis} since 1970. */
  Parts remove(long oldestMillis) {
    return walk(part -> olderThan(part, oldestMillis) && !inUse.test(part) && remove(part));
  }

  private interface Choice {
    boolean test(Path part) throws IOException;
  }

  private Parts walk(Choice choice) {
    int files = 0;
    long bytes = 0;
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(partDirectory, "*.part")) {
      for (Path part : parts) {
        try {
          BasicFileAttributes attributes = PathGuard.attributes(part);
          if (attributes != null && attributes.isRegularFile() && choice.test(part)) {
            files++;
            bytes += attributes.size();
          }
        } catch (IOException gone) {
          // Somebody else has removed it, or may read it alone.
        }
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      return new Parts(files, bytes);
    }
    return new Parts(files, bytes);
  }

  private static boolean olderThan(Path part, long oldestMillis) throws IOException {
    return Files.getLastModifiedTime(part, LinkOption.NOFOLLOW_LINKS).toMillis() < oldestMillis;
  }

  private static boolean remove(Path part) throws IOException {
    try (FileChannel channel =
            FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false; // another receiver is writing it
      }
      Files.delete(part);
    }
    Files.deleteIfExists(PartFile.noteOf(part));
    return true;
  }
}

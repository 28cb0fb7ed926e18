package ebb.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The mode of a file as the protocol carries it: the nine bits of {@code rwxrwxrwx}, or that its
 * system has none. Bits that lend the owner's rights (set-user-ID and the like) never travel.
 */
final class FileMode {
  /** All nine bits. */
  static final int ALL = 0777;

  /** The source's system has no such bits. */
  static final int UNKNOWN = 0xffff;

  /** What only the owner may read and write: files that are not complete. */
  static final int PRIVATE_FILE = 0600;

  /** What only the owner may enter. */
  static final int PRIVATE_DIRECTORY = 0700;

  /** From the highest bit down. */
  private static final List<PosixFilePermission> ORDER =
      List.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private FileMode() {}

  static int of(BasicFileAttributes attributes) {
    return attributes instanceof PosixFileAttributes posix ? bits(posix.permissions()) : UNKNOWN;
  }

  static int bits(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (PosixFilePermission permission : permissions) {
      bits |= bit(permission);
    }
    return bits;
  }

  static Set<PosixFilePermission> permissions(int bits) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission permission : ORDER) {
      if ((bits & bit(permission)) != 0) {
        permissions.add(permission);
      }
    }
    return permissions;
  }

  private static int bit(PosixFilePermission permission) {
    return 0400 >> ORDER.indexOf(permission);
  }

  /** Attributes with the mode, where the file system has one. Follows no link. */
  static BasicFileAttributes attributes(Path path) throws IOException {
    Class<? extends BasicFileAttributes> kind =
        isPosix(path) ? PosixFileAttributes.class : BasicFileAttributes.class;
    return Files.readAttributes(path, kind, LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether files of this path's system have modes. */
  static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}

package ebb.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns names that a peer sent into paths below one directory, or refuses them. No part of a name
 * can climb out, and no symbolic link below the directory is followed. What it does not guard
 * against is another local process that swaps directories for links at the same moment: whoever can
 * do that can write there anyway.
 */
final class PathGuard {
  private static final String RESERVED =
      "a name that some file systems take for the reserved " + ReservedName.PART_DIRECTORY;
  private static final int MAX_NAME_BYTES = 255;
  private static final int MAX_DEPTH = 128;

  // Windows takes these, with any extension, for devices.
  private static final Set<String> WINDOWS_DEVICES =
      Set.of(
          "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
          "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9");

  /** A name that is not allowed; the message says why, without the name. */
  static final class BadNameException extends IOException {
    private static final long serialVersionUID = 1L;

    BadNameException(String message) {
      super(message);
    }
  }

  private final Path root;
  private final boolean windows;

  /** The first part of a name that was there last and is not the directory of parts. */
  private volatile @Nullable Path innocent;

  /**
   * @param root an existing directory
   */
  PathGuard(Path root) throws IOException {
    this(root, root.getFileSystem().getSeparator().equals("\\"));
  }

  PathGuard(Path root, boolean windows) throws IOException {
    this.root = root.toRealPath();
    this.windows = windows;
  }

  Path root() {
    return root;
  }

  /**
   * What is wrong with a name whatever the directory; null when nothing is. The sender asks too, so
   * that it can refuse early and in its own words.
   */
  static @Nullable String problem(String path, boolean windows) {
    if (path.isEmpty()) {
      return "an empty name";
    }
    if (path.getBytes(StandardCharsets.UTF_8).length > Frame.MAX_PATH_BYTES) {
      return "a path longer than " + Frame.MAX_PATH_BYTES + " bytes";
    }
    if (path.indexOf('\0') >= 0) {
      return "a NUL character in a name";
    }
    if (path.indexOf('\\') >= 0) {
      return "a backslash in a name";
    }
    if (path.startsWith("/")) {
      return "an absolute path";
    }
    List<String> parts = List.of(path.split("/", -1));
    if (parts.size() > MAX_DEPTH) {
      return "a path of more than " + MAX_DEPTH + " parts";
    }
    for (String part : parts) {
      String problem = partProblem(part, windows);
      if (problem != null) {
        return problem;
      }
    }
    // Only here: a directory of that name deep in a tree is like any other.
    return ReservedName.mayDenote(parts.get(0)) ? RESERVED : null;
  }

  private static @Nullable String partProblem(String part, boolean windows) {
    if (part.isEmpty()) {
      return "an empty part in a path";
    }
    if (part.equals(".") || part.equals("..")) {
      return "'" + part + "' in a path";
    }
    if (part.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      return "a name longer than " + MAX_NAME_BYTES + " bytes";
    }
    if (windows) {
      if (part.endsWith(".") || part.endsWith(" ") || part.chars().anyMatch(PathGuard::special)) {
        return "a name that this system does not allow";
      }
      int dot = part.indexOf('.');
      String stem = (dot < 0 ? part : part.substring(0, dot)).strip().toLowerCase(Locale.ROOT);
      if (WINDOWS_DEVICES.contains(stem)) {
        return "a reserved device name";
      }
    }
    return null;
  }

  private static boolean special(int c) {
    return c < 32 || "<>:\"|?*".indexOf(c) >= 0;
  }

  /**
   * The path for a name, after checking that every directory on the way is a real one or missing.
   *
   * @throws BadNameException when the name is not allowed or leads through something else
   */
  Path resolve(String name) throws IOException {
    String problem = problem(name, windows);
    if (problem != null) {
      throw new BadNameException(problem);
    }
    Path target;
    try {
      target = root.resolve(name).normalize();
    } catch (InvalidPathException unmappable) {
      throw new BadNameException(
          "a name that the receiver's locale cannot write (start it with LC_ALL=C.UTF-8)");
    }
    // The checks above leave no way out; this is the belt to those braces.
    if (!target.startsWith(root) || target.equals(root)) {
      throw new BadNameException("a path outside the directory");
    }
    Path relative = root.relativize(target);
    checkReserved(root.resolve(relative.getName(0)));
    Path directory = root;
    for (int i = 0; i < relative.getNameCount() - 1; i++) {
      directory = directory.resolve(relative.getName(i));
      if (!isRealDirectory(directory)) {
        break; // it and all below are missing
      }
    }
    return target;
  }

  /** What no spelling rule knows, the file system does: is this the directory of parts? */
  private void checkReserved(Path first) throws IOException {
    if (first.equals(innocent)) {
      return;
    }
    Path reserved = root.resolve(ReservedName.PART_DIRECTORY);
    if (attributes(first) != null && Files.exists(reserved)) {
      if (Files.isSameFile(first, reserved)) {
        throw new BadNameException(RESERVED);
      }
      innocent = first;
    }
  }

  /**
   * Makes the directory and those above it, up to the root, without following a link.
   *
   * @param with what a new directory gets
   */
  void makeDirectories(Path directory, FileAttribute<?>... with) throws IOException {
    Path made = root;
    for (Path part : root.relativize(directory)) {
      made = made.resolve(part);
      if (part.toString().isEmpty() || isRealDirectory(made)) {
        continue;
      }
      try {
        Files.createDirectory(made, with);
      } catch (FileAlreadyExistsException raced) {
        if (!isRealDirectory(made)) {
          throw raced;
        }
      }
    }
    if (!directory.toRealPath().equals(directory)) {
      throw new BadNameException("a path outside the directory");
    }
  }

  /** False when nothing is there. */
  private boolean isRealDirectory(Path path) throws IOException {
    BasicFileAttributes attributes = attributes(path);
    if (attributes == null) {
      return false;
    }
    if (attributes.isSymbolicLink()) {
      throw new BadNameException(
          "'" + root.relativize(path) + "' is a symbolic link at the receiver");
    }
    if (!attributes.isDirectory()) {
      throw new BadNameException("'" + root.relativize(path) + "' is a file at the receiver");
    }
    return true;
  }

  /** Of the thing itself, not of what it links to; null when nothing is there. */
  static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException missing) {
      return null;
    }
  }
}

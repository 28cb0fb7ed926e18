package ebb.files;

import ebb.core.cli.TerminalText;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What the command line names, walked lazily and in order of name: memory grows with the depth and
 * width of the tree, not with its size. Links among the arguments are followed, links inside
 * directories are left out.
 */
final class SourceTree implements Iterable<SourceItem> {
  /** An argument that cannot be sent; the message is one line. */
  static final class BadSourceException extends IOException {
    private static final long serialVersionUID = 1L;

    BadSourceException(String message) {
      super(message);
    }
  }

  /**
   * How much there is.
   *
   * @param files regular files
   */
  record Totals(long files, long bytes) {}

  private final Map<String, Path> roots;

  private SourceTree(Map<String, Path> roots) {
    this.roots = roots;
  }

  /**
   * Checks the arguments.
   *
   * @throws BadSourceException when one is missing, unreadable, a directory without {@code
   *     recursive}, of a kind that cannot be sent, or has the same name as another
   */
  static SourceTree of(List<Path> arguments, boolean recursive) throws BadSourceException {
    Map<String, Path> roots = new LinkedHashMap<>();
    for (Path argument : arguments) {
      String shown = "'" + TerminalText.printable(argument.toString()) + "'";
      try {
        BasicFileAttributes attributes = Files.readAttributes(argument, BasicFileAttributes.class);
        Path real = argument.toRealPath();
        Path last = argument.getFileName();
        boolean named = last != null && !List.of("", ".", "..").contains(last.toString());
        Path name = named ? last : real.getFileName();
        if (name == null) {
          throw new BadSourceException("cannot send " + shown + ": it has no name");
        }
        if (attributes.isDirectory() && !recursive) {
          throw new BadSourceException(shown + " is a directory; -r sends directories");
        }
        if (!attributes.isDirectory() && !attributes.isRegularFile()) {
          throw new BadSourceException(shown + " is neither a file nor a directory");
        }
        if (!Files.isReadable(real)) {
          throw new BadSourceException("cannot read " + shown + ": permission denied");
        }
        String problem = nameProblem(name);
        if (problem != null) {
          throw new BadSourceException("cannot send " + shown + ": " + problem);
        }
        if (roots.put(name.toString(), real) != null) {
          throw new BadSourceException(
              "two of the files have the name " + TerminalText.printable("" + name));
        }
      } catch (NoSuchFileException missing) {
        throw new BadSourceException("there is no file " + shown);
      } catch (BadSourceException bad) {
        throw bad;
      } catch (IOException unreadable) {
        throw new BadSourceException("cannot read " + shown + ": " + Reasons.reason(unreadable));
      }
    }
    return new SourceTree(roots);
  }

  /** What no receiver could say about it: the name as this process reads it is not the true one. */
  private static @Nullable String nameProblem(Path name) {
    String text = name.toString();
    if (!name.getFileSystem().getPath(text).equals(name) || text.indexOf('\uFFFD') >= 0) {
      return "its name is not in this locale's encoding (try LC_ALL=C.UTF-8)";
    }
    return null;
  }

  /** Counts; walks the whole tree once. */
  Totals totals() {
    long files = 0;
    long bytes = 0;
    for (SourceItem item : this) {
      if (item instanceof SourceItem.File file) {
        files++;
        bytes += file.sizeBytes();
      }
    }
    return new Totals(files, bytes);
  }

  @Override
  public Iterator<SourceItem> iterator() {
    return new Walk();
  }

  private record Pending(Path path, String name) {}

  private final class Walk implements Iterator<SourceItem> {
    private final ArrayDeque<Pending> stack = new ArrayDeque<>();

    Walk() {
      List<Pending> first = new ArrayList<>();
      roots.forEach((name, path) -> first.add(new Pending(path, name)));
      push(first);
    }

    private void push(List<Pending> children) {
      for (int i = children.size() - 1; i >= 0; i--) {
        stack.push(children.get(i));
      }
    }

    @Override
    public boolean hasNext() {
      return !stack.isEmpty();
    }

    @Override
    public SourceItem next() {
      Pending pending = stack.poll();
      if (pending == null) {
        throw new NoSuchElementException();
      }
      Path path = pending.path();
      String name = pending.name();
      Path last = path.getFileName();
      String problem = last == null ? null : nameProblem(last);
      if (problem == null) {
        problem = PathGuard.problem(name, false);
      }
      if (problem != null) {
        return new SourceItem.Unsendable(name, Refusal.BAD_NAME, problem);
      }
      try {
        BasicFileAttributes attributes = FileMode.attributes(path);
        int mode = FileMode.of(attributes);
        long modified = attributes.lastModifiedTime().toMillis();
        if (attributes.isRegularFile()) {
          return new SourceItem.File(path, name, attributes.size(), modified, mode);
        }
        if (attributes.isDirectory()) {
          push(children(path, name));
          return new SourceItem.Directory(name, modified, mode);
        }
        return new SourceItem.Skipped(
            name, attributes.isSymbolicLink() ? "a symbolic link" : "neither file nor directory");
      } catch (IOException unreadable) {
        return new SourceItem.Unsendable(
            name, Refusal.SOURCE_UNREADABLE, Reasons.reason(unreadable));
      }
    }

    private List<Pending> children(Path directory, String name) throws IOException {
      List<Pending> children = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        for (Path entry : entries) {
          children.add(new Pending(entry, name + "/" + entry.getFileName()));
        }
      } catch (DirectoryIteratorException broken) {
        throw broken.getCause();
      }
      Collections.sort(children, (a, b) -> a.name().compareTo(b.name()));
      return children;
    }
  }
}

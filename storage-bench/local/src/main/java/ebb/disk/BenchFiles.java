package ebb.disk;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Human;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All files of a run, measured at once: all made in directories, or all there before. It owns which
 * places go together, and that all are removed when one cannot be.
 */
final class BenchFiles implements AutoCloseable {
  private final List<BenchFile> files = new ArrayList<>();

  private BenchFiles() {}

  /**
   * Makes or opens them.
   *
   * @throws EbbException in one line, with nothing left behind
   */
  static BenchFiles open(DiskPlan plan) {
    checkDistinct(plan.places());
    BenchFiles all = new BenchFiles();
    try {
      boolean existing = isExisting(plan.places());
      for (Path place : plan.places()) {
        if (existing) {
          all.files.add(BenchFile.existing(place, plan.fileBytes()));
        }
        for (int i = 1; !existing && i <= plan.filesEach(); i++) {
          String name = place + (plan.filesEach() == 1 ? "" : " (file " + i + ")");
          all.files.add(BenchFile.create(place, name, all.files.size() + 1, plan.fileBytes()));
        }
      }
      all.checkRoom(plan.fileBytes());
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  /**
   * Whether the places are files or devices that are only read; otherwise they are directories, or
   * not there.
   *
   * @throws EbbException in one line when there are some of both
   */
  static boolean isExisting(List<Path> places) {
    Predicate<Path> isFile = place -> Files.exists(place) && !Files.isDirectory(place);
    List<Path> there = places.stream().filter(isFile).toList();
    List<Path> others = places.stream().filter(isFile.negate()).toList();
    if (!there.isEmpty() && !others.isEmpty()) {
      throw new EbbException(
          ExitCode.USAGE,
          there.get(0)
              + " is there and would be read, and "
              + others.get(0)
              + " is a place for a new file: not both in one run");
    }
    return !there.isEmpty();
  }

  private static void checkDistinct(List<Path> places) {
    Map<Object, Path> seen = new HashMap<>();
    for (Path place : places) {
      try {
        Path before = Files.exists(place) ? seen.put(BenchFile.identity(place), place) : null;
        if (before != null) {
          throw new EbbException(
              ExitCode.USAGE,
              before.equals(place)
                  ? place + " is named twice (--files makes several in a directory)"
                  : before + " and " + place + " are the same");
        }
      } catch (IOException e) {
        throw BenchFile.refused("cannot use " + place, e);
      }
    }
  }

  /** Files of one file system share what is free there. */
  private void checkRoom(long bytes) {
    Map<FileStore, Integer> count = new HashMap<>();
    for (BenchFile file : files) {
      if (!file.isOurs()) {
        continue;
      }
      try {
        FileStore store = Files.getFileStore(file.path());
        int there = count.merge(store, 1, Integer::sum);
        long free = store.getUsableSpace();
        if (free / there < bytes) {
          throw new EbbException(
              ExitCode.REFUSED_OR_BUSY,
              String.format(
                  "%s of %s %s not fit: %s has %s free (choose --size)",
                  there == 1 ? "a file" : there + " files",
                  Human.bytes((double) bytes),
                  there == 1 ? "does" : "do",
                  file.path().toAbsolutePath().getParent(),
                  Human.bytes((double) free)));
        }
      } catch (IOException e) {
        throw BenchFile.refused("cannot use a file in " + file.name(), e);
      }
    }
  }

  List<BenchFile> all() {
    return List.copyOf(files);
  }

  /** Whether requests of this size can go past the page cache, in all files. */
  boolean isDirectFor(int blockBytes) {
    return files.stream().allMatch(file -> file.isDirectFor(blockBytes));
  }

  boolean hasDirect() {
    return files.stream().allMatch(BenchFile::hasDirect);
  }

  /** The largest: what suits all files. */
  int alignment() {
    return files.stream().mapToInt(BenchFile::alignment).max().orElse(1);
  }

  /** The kinds of file systems there are. */
  String fileSystems() {
    return join(file -> true);
  }

  /** Those of them that are memory; "" for none. */
  String inMemory() {
    return join(BenchFile::isInMemory);
  }

  private String join(Predicate<BenchFile> which) {
    return String.join(
        ", ", new TreeSet<>(files.stream().filter(which).map(BenchFile::fileSystem).toList()));
  }

  @Override
  public void close() {
    files.forEach(BenchFile::close);
  }
}

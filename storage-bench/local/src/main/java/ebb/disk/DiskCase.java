package ebb.disk;

import ebb.core.units.Human;
import java.util.List;
import java.util.Locale;

/**
 * One thing to measure.
 *
 * @param blockBytes of one request
 * @param threads for each file; each has one request outstanding, so this is the queue's depth
 * @param direct past the page cache
 */
record DiskCase(Access access, Operation operation, int blockBytes, int threads, boolean direct) {
  /** Where the next request goes. */
  enum Access {
    /** Every thread walks through its own part of the file. */
    SEQUENTIAL,
    /** Anywhere in the file, at multiples of the block size. */
    RANDOM;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a request does. */
  enum Operation {
    READ,
    WRITE,
    /** Each request by itself is one of the two, by the plan's share. */
    MIXED;

    /** What its requests can be. */
    List<Operation> sides() {
      return this == MIXED ? List.of(READ, WRITE) : List.of(this);
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** {@code direct} or {@code page cache}. */
  String path() {
    return direct ? "direct" : "page cache";
  }

  /** For people: {@code random read, 4 KiB, 1 thread, direct}. */
  String words() {
    return String.format(
        Locale.ROOT,
        "%s %s, %s, %d thread%s, %s",
        access.word(),
        operation.word(),
        block(blockBytes),
        threads,
        threads == 1 ? "" : "s",
        path());
  }

  /** A block size in the unit that it is a multiple of: {@code 1 B}, {@code 4 KiB}. */
  static String block(long bytes) {
    if (bytes > 0 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    if (bytes > 0 && bytes % (1 << 10) == 0) {
      return (bytes >> 10) + " KiB";
    }
    return bytes < 1_000 ? bytes + " B" : Human.bytes((double) bytes);
  }
}

package ebb.storage.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is measured, by the names that people have used for it: {@code upload} and {@code download}
 * of whole objects, {@code write_iops_test_pt_seq} and its like, where {@code pt} means four
 * processes and {@code seq} sequential; {@code stat}, {@code list} and {@code delete} of small
 * objects; and {@code mix:get=70,put=30}, many kinds at once.
 *
 * @param name as it was given
 * @param processes that the name asks for
 */
public record StorageCase(
    String name,
    Operation operation,
    Measure measure,
    boolean sequential,
    int processes,
    @Nullable Mix mix) {
  /** What a mixture's name begins with. */
  public static final String MIX = "mix:";

  /** Small objects that are looked up and listed. */
  static final int SMALL_OBJECTS = 100;

  private static final long SMALL_BYTES = 4_096;
  private static final long MIX_BYTES = 1L << 20;

  private static final int PARALLEL_PROCESSES = 4;
  private static final Pattern NAME =
      Pattern.compile("(write|read)_(bandwidth|iops|latency)_test(_pt)?(_seq)?");

  /** Which way the bytes go, or what else is asked. */
  public enum Operation {
    WRITE,
    READ,
    STAT,
    LIST,
    DELETE,
    MIX
  }

  /** One that is no mixture. */
  public StorageCase(
      String name, Operation operation, Measure measure, boolean sequential, int processes) {
    this(name, operation, measure, sequential, processes, null);
  }

  /** Whether objects have to be there that are read. */
  boolean reads() {
    return operation == Operation.READ || (mix != null && mix.has(Mix.Kind.GET));
  }

  /** Whether {@link #SMALL_OBJECTS} have to be there. */
  boolean needsSmallObjects() {
    return operation == Operation.STAT
        || operation == Operation.LIST
        || (mix != null && (mix.has(Mix.Kind.STAT) || mix.has(Mix.Kind.LIST)));
  }

  /** Whether it may leave objects of its own. */
  boolean leavesObjects() {
    return operation == Operation.WRITE
        || operation == Operation.DELETE
        || operation == Operation.MIX;
  }

  /** What is looked at, which decides sizes and how many operations are under way. */
  public enum Measure {
    /** Whole objects, each once. */
    TRANSFER,
    BANDWIDTH,
    IOPS,
    LATENCY
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException with one line, for no such case
   */
  public static StorageCase parse(String name) {
    if (name.equals("upload") || name.equals("download")) {
      Operation operation = name.equals("upload") ? Operation.WRITE : Operation.READ;
      return new StorageCase(name, operation, Measure.TRANSFER, true, 1);
    }
    if (name.equals("stat") || name.equals("list") || name.equals("delete")) {
      Operation operation = Operation.valueOf(name.toUpperCase(Locale.ROOT));
      return new StorageCase(name, operation, Measure.LATENCY, false, 1);
    }
    if (name.startsWith(MIX)) {
      Mix mix = Mix.parse(name.substring(MIX.length()));
      return new StorageCase(MIX + mix.words(), Operation.MIX, Measure.IOPS, false, 1, mix);
    }
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "no case '"
              + name
              + "'; cases are upload, download, stat, list, delete and {write,read}_{bandwidth,iops,latency}_test with"
              + " _pt (four processes) and _seq (sequential) as endings");
    }
    return new StorageCase(
        name,
        Operation.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
        Measure.valueOf(matcher.group(2).toUpperCase(Locale.ROOT)),
        matcher.group(4) != null,
        matcher.group(3) == null ? 1 : PARALLEL_PROCESSES);
  }

  /** The 18 cases of the object store's column, or of the local disk's, in the table's order. */
  public static List<StorageCase> table2(boolean objectStore) {
    List<StorageCase> cases = new ArrayList<>();
    for (String ending : List.of("", "_seq", objectStore ? "_pt_seq" : "_pt")) {
      for (String operation : List.of("write", "read")) {
        for (String measure : List.of("bandwidth", "iops", "latency")) {
          cases.add(parse(operation + "_" + measure + "_test" + ending));
        }
      }
    }
    return List.copyOf(cases);
  }

  /** Bytes of one operation; of a transfer the object's. */
  public long blockBytes(long objectBytes) {
    if (operation == Operation.MIX) {
      return Math.min(MIX_BYTES, objectBytes);
    }
    return switch (measure) {
      case TRANSFER -> objectBytes;
      case BANDWIDTH -> Math.min(8L << 20, objectBytes);
      case IOPS, LATENCY -> Math.min(SMALL_BYTES, objectBytes);
    };
  }

  /** Operations under way at the same time in each process. */
  public int depth() {
    return measure == Measure.IOPS ? 8 : 1;
  }
}

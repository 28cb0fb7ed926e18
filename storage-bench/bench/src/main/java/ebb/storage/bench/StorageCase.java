package ebb.storage.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is measured, by the names that people have used for it: {@code upload} and {@code download}
 * of whole objects, and {@code write_iops_test_pt_seq} and its like, where {@code pt} means four
 * processes and {@code seq} sequential.
 *
 * @param name as it was given
 * @param processes that the name asks for
 */
public record StorageCase(
    String name, Operation operation, Measure measure, boolean sequential, int processes) {
  private static final int PARALLEL_PROCESSES = 4;
  private static final Pattern NAME =
      Pattern.compile("(write|read)_(bandwidth|iops|latency)_test(_pt)?(_seq)?");

  /** Which way the bytes go. */
  public enum Operation {
    WRITE,
    READ
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
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "no case '"
              + name
              + "'; cases are upload, download and {write,read}_{bandwidth,iops,latency}_test with"
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
    return switch (measure) {
      case TRANSFER -> objectBytes;
      case BANDWIDTH -> Math.min(8L << 20, objectBytes);
      case IOPS, LATENCY -> Math.min(4_096, objectBytes);
    };
  }

  /** Operations under way at the same time in each process. */
  public int depth() {
    return measure == Measure.IOPS ? 8 : 1;
  }
}

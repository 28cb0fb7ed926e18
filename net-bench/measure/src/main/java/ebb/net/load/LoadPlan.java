package ebb.net.load;

import ebb.net.control.NetKey;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is to be measured. Immutable.
 *
 * @param server where
 * @param loads one after the other
 * @param ways of each load
 * @param streams of a load, each way
 * @param idleMicros for which nothing but the probe goes, first of all
 * @param loadMicros of each load and way
 * @param settleMicros at the beginning of each load, not counted
 * @param probeMicros between echoes of the probe
 * @param probeTos the probe's type of service; 0 for the usual
 * @param loadTos that of loads, both ways; 0 for the usual
 * @param key of the server; null for none
 * @param timeoutMillis to connect
 */
public record LoadPlan(
    InetSocketAddress server,
    List<Load> loads,
    List<Load.Way> ways,
    int streams,
    long idleMicros,
    long loadMicros,
    long settleMicros,
    long probeMicros,
    int probeTos,
    int loadTos,
    @Nullable NetKey key,
    long timeoutMillis) {
  /** After a load, for queues to run empty. */
  static final long PAUSE_MICROS = 1_500_000;

  /** ECT(0), ECT(1), CE, le, af41, ef. */
  private static final List<Integer> TRIED = List.of(0x02, 0x01, 0x03, 0x04, 0x88, 0xb8);

  /** Of an echo; what it costs is little beside any load. */
  static final int PROBE_BYTES = 64;

  /** Checks the ranges; the message of the exception is one line for users. */
  public LoadPlan {
    loads = List.copyOf(loads);
    ways = List.copyOf(ways);
    if (settleMicros >= loadMicros) {
      throw new IllegalArgumentException(
          "-t must be more than 2 s: the beginning of a load is not counted");
    }
    if (idleMicros < 500_000) {
      throw new IllegalArgumentException("--idle must be at least 0.5 s");
    }
    if (probeMicros < 1_000 || probeMicros > 1_000_000) {
      throw new IllegalArgumentException("-i is between 1 ms and 1 s");
    }
  }

  /** Which marks are tried: the usual ones, and those that the user has named. */
  List<Integer> marks() {
    List<Integer> marks = new ArrayList<>(TRIED);
    for (int named : new TreeSet<>(List.of(probeTos, loadTos))) {
      if (named != 0 && !marks.contains(named)) {
        marks.add(named);
      }
    }
    return marks;
  }

  /** How long all of it takes, about. */
  long totalMicros() {
    return idleMicros + (long) loads.size() * ways.size() * (loadMicros + PAUSE_MICROS);
  }
}

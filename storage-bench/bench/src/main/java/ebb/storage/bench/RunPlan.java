package ebb.storage.bench;

import java.util.List;
import java.util.Map;

/**
 * What a run measures.
 *
 * @param items in their order; all of them once, then all of them again
 * @param container to use
 * @param makeContainer whether it is made, and removed at the end
 * @param runId in the labels and names of everything that the run makes
 * @param objectBytes of objects that are transferred or read from
 * @param timeMicros of each case that is no transfer
 * @param repetitions 1 or more
 * @param seed of contents and offsets
 * @param warmUp of each case that is no transfer
 * @param part which of several clients this is for
 */
public record RunPlan(
    List<Item> items,
    String container,
    boolean makeContainer,
    String runId,
    long objectBytes,
    long timeMicros,
    int repetitions,
    long seed,
    WarmUp warmUp,
    Part part) {
  /** Names of objects begin with this and the run's id. */
  public static final String MARK = "ebb-run-";

  /** The label whose value is the run's id. */
  public static final String RUN_LABEL = "ebb-run";

  /** The label whose value is when the run began, in seconds since 1970. */
  public static final String STARTED_LABEL = "ebb-started";

  /** Operations of one process of a case, at most. */
  private static final int MAX_OPERATIONS = 20_000;

  private static final long CLIENT_SEED = 1_000_000_007;

  public RunPlan {
    items = List.copyOf(items);
    if (items.isEmpty() || objectBytes < 1 || repetitions < 1 || timeMicros < 1) {
      throw new IllegalArgumentException("nothing to measure");
    }
  }

  /** Of a run by this process alone. */
  public RunPlan(
      List<Item> items,
      String container,
      boolean makeContainer,
      String runId,
      long objectBytes,
      long timeMicros,
      int repetitions,
      long seed,
      WarmUp warmUp) {
    this(
        items,
        container,
        makeContainer,
        runId,
        objectBytes,
        timeMicros,
        repetitions,
        seed,
        warmUp,
        Part.ALL);
  }

  /** With the usual warm-up. */
  public RunPlan(
      List<Item> items,
      String container,
      boolean makeContainer,
      String runId,
      long objectBytes,
      long timeMicros,
      int repetitions,
      long seed) {
    this(
        items,
        container,
        makeContainer,
        runId,
        objectBytes,
        timeMicros,
        repetitions,
        seed,
        WarmUp.TENTH);
  }

  /**
   * Which of several clients.
   *
   * @param client from 0
   * @param clients 0 when this process measures alone
   */
  public record Part(int client, int clients) {
    static final Part ALL = new Part(0, 0);

    /** A part of names: {@code c2/}; "" for who measures alone. */
    String inNames() {
      return clients == 0 ? "" : "c" + (client + 1) + "/";
    }
  }

  /**
   * One measurement.
   *
   * @param processes 1 or more
   * @param intervalMicros between the begins of one process's transfer and the next one's
   * @param ratePerSecond operations of all processes that are planned for each second; 0 for a
   *     closed loop
   * @param objectBytes of the objects that are transferred; 0 for the plan's
   * @param fit what may be changed so that transfers that begin apart overlap
   */
  public record Item(
      StorageCase of,
      int processes,
      long intervalMicros,
      double ratePerSecond,
      long objectBytes,
      Fit fit) {
    /** Operations that can be under way together at a planned rate, in all processes. */
    private static final int OPEN_LANES = 64;

    public Item {
      if (processes < 1 || intervalMicros < 0 || !(ratePerSecond >= 0) || objectBytes < 0) {
        throw new IllegalArgumentException("no processes, a negative interval, rate or size");
      }
    }

    /** At a planned rate. */
    public Item(StorageCase of, int processes, long intervalMicros, double ratePerSecond) {
      this(of, processes, intervalMicros, ratePerSecond, 0, Fit.NOTHING);
    }

    /** A closed loop. */
    public Item(StorageCase of, int processes, long intervalMicros) {
      this(of, processes, intervalMicros, 0);
    }

    /** A closed loop whose interval is at most this, and may be made to fit. */
    public static Item fitted(StorageCase of, int processes, long intervalMicros, Fit fit) {
      return new Item(of, processes, intervalMicros, 0, 0, fit);
    }

    public boolean isOpen() {
      return ratePerSecond > 0;
    }

    /** Operations under way at the same time in each process, at most. */
    public int depth() {
      return isOpen() ? Math.max(of.depth(), OPEN_LANES / processes) : of.depth();
    }
  }

  /** What of an item follows from how long the transfers before it took. */
  public enum Fit {
    NOTHING,
    INTERVAL,
    INTERVAL_AND_SIZE
  }

  /** Of the objects that an item transfers or reads from. */
  long objectBytes(Item item) {
    return item.objectBytes() == 0 ? objectBytes : item.objectBytes();
  }

  /**
   * What a store must have room for at the same time: the objects to read, and those of the writing
   * case that leaves most.
   */
  public double bytesAtOnce() {
    long read = 0;
    double written = 0;
    for (Item item : items) {
      StorageCase of = item.of();
      if (of.reads()) {
        read = Math.max(read, item.processes());
      }
      double room =
          switch (of.operation()) {
            case MIX -> (double) item.depth() * MixedRequests.NAMES * of.blockBytes(objectBytes);
            // It ends when its time is over, mostly before it has written all that it may.
            case WRITE -> (double) of.blockBytes(objectBytes);
            default -> 0;
          };
      written = Math.max(written, item.processes() * room);
    }
    return (double) read * objectBytes + written;
  }

  /** Times that are planned at a rate: those of several clients are as far apart as one's. */
  Phase.Pace pace(Item item, long micros) {
    double first = part.clients == 0 ? 0 : (double) part.client / part.clients;
    return new Phase.Pace(item.ratePerSecond(), micros, first);
  }

  /** The labels of everything that a run makes. */
  public static Map<String, String> labels(String runId, long startedSeconds) {
    return Map.of(RUN_LABEL, runId, STARTED_LABEL, Long.toString(startedSeconds));
  }

  /**
   * What one of several clients does: the same with objects, contents and draws of its own, in a
   * container that is there, at its share of a planned rate.
   *
   * @param client from 0
   */
  public RunPlan ofClient(int client, int clients) {
    return new RunPlan(
        items.stream()
            .map(
                item ->
                    new Item(
                        item.of(),
                        item.processes(),
                        item.intervalMicros(),
                        item.ratePerSecond() / clients))
            .toList(),
        container,
        false,
        runId,
        objectBytes,
        timeMicros,
        repetitions,
        seed + client * CLIENT_SEED,
        warmUp,
        new Part(client, clients));
  }

  String prefix() {
    return MARK + runId + "/" + part.inNames();
  }

  /** Where the objects are that an item reads whose size is not the plan's. */
  String larger() {
    return prefix() + "larger/";
  }

  /** Where the objects are that a repetition writes. */
  public String written(int repetition) {
    return prefix() + "write-" + repetition + "/";
  }

  /** Operations that can be under way at the same time. */
  public int threads() {
    return items.stream().mapToInt(item -> item.processes() * item.depth()).reduce(8, Math::max);
  }

  /** What one lane of a writing case may leave: four objects' worth, and a sane number. */
  int maxWrites(Item item) {
    long worth = 4 * objectBytes / item.of().blockBytes(objectBytes);
    return (int) Math.max(4, Math.min(MAX_OPERATIONS, worth) / item.depth());
  }
}

package ebb.storage.bench;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.stats.LatencyHistogram;
import ebb.storage.port.Moved;
import ebb.storage.port.StoragePort.Done;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What lanes came to: sums, latencies, and the first failure. Filled by one thread, then read. */
public final class LaneResult {
  private static final int MAX_TROUBLES = 8;
  private static final long MIN_MICROS = 20;

  private final LatencyHistogram latencies = new LatencyHistogram();
  private final LatencyHistogram firstBytes = new LatencyHistogram();
  private final LatencyHistogram delays = new LatencyHistogram();
  private final List<String> troubles = new ArrayList<>();
  private long startMicros = Long.MAX_VALUE;
  private long endMicros = Long.MIN_VALUE;
  private long bytes;
  private long busyMicros;
  private long failures;
  private long verified;
  private long requests;
  private long retries;
  private long backoffMicros;
  private long rateMicros;
  private double bytesPerSecond;
  private double operationsPerSecond;
  private @Nullable FailureKind failure;
  private String message = "";
  private @Nullable Done lastWarmup;

  /** Counts an operation; a warm-up only when it failed. */
  void count(Done done, boolean warmup) {
    count(done, warmup, 0);
  }

  /**
   * The same, of an operation that was planned earlier: its latency begins there, so that what held
   * it up counts against it.
   *
   * @param lateMicros from when it was planned to when it began
   */
  void count(Done done, boolean warmup, long lateMicros) {
    Outcome outcome = done.outcome();
    // What was given up on request has not failed; why a lane ended is told all the same.
    if (!outcome.succeeded()) {
      failures += outcome.failure() == FailureKind.CANCELLED ? 0 : 1;
      if (failure == null) {
        failure = outcome.failure();
        message = outcome.message();
      }
    }
    for (String trouble : outcome.troubles()) {
      if (troubles.size() < MAX_TROUBLES) {
        troubles.add(trouble);
      }
    }
    retries += outcome.retries();
    backoffMicros += outcome.backoffMicros();
    requests += outcome.requests();
    if (outcome.succeeded()) {
      if (warmup) {
        lastWarmup = done;
      } else {
        measure(done, lateMicros);
      }
    }
  }

  /** A store so slow that all was warm-up has one figure at least. */
  void end() {
    if (operations() == 0 && lastWarmup != null) {
      measure(lastWarmup, 0);
    }
  }

  private void measure(Done done, long lateMicros) {
    Outcome outcome = done.outcome();
    Moved moved = done.moved();
    startMicros = Math.min(startMicros, outcome.startMicros());
    endMicros = Math.max(endMicros, outcome.endMicros());
    bytes += moved.bytes();
    busyMicros += outcome.durationMicros();
    verified += moved.verified() ? 1 : 0;
    latencies.recordMicros(outcome.durationMicros() + lateMicros);
    delays.recordMicros(lateMicros);
    if (moved.firstByteMicros() >= 0) {
      firstBytes.recordMicros(moved.firstByteMicros());
    }
    // While it has one lane's operations only; add() sums the rates of several.
    rateMicros = Math.max(1, busyMicros);
    if (busyMicros < MIN_MICROS * latencies.count()) {
      // Too short for the clock, which counts whole microseconds.
      rateMicros = Math.max(1, endMicros - startMicros);
    }
    bytesPerSecond = bytes * 1e6 / rateMicros;
    operationsPerSecond = latencies.count() * 1e6 / rateMicros;
  }

  /**
   * Joins lanes that had many operations each. A lane is in the store only a part of its time, the
   * rest is the bench's own; so lanes take turns there, and adding their rates up would invent what
   * no store ever gave. All bytes count over the time that at least one lane was in the store,
   * lanes coming and going independently of one another.
   */
  static LaneResult together(List<LaneResult> lanes) {
    LaneResult sum = sum(lanes);
    double wall = Math.max(1.0, (double) (sum.endMicros - sum.startMicros));
    double nobody = 1;
    for (LaneResult lane : lanes) {
      nobody *= 1 - Math.min(1, lane.rateMicros / wall);
    }
    sum.takes(Math.max(1, wall * (1 - nobody)));
    return sum;
  }

  /** Joins lanes whose operations are known one by one: at least one was under way so long. */
  static LaneResult during(List<LaneResult> lanes, double micros) {
    LaneResult sum = sum(lanes);
    sum.takes(Math.max(1, micros));
    return sum;
  }

  /** Joins lanes of a planned rate: what was done over all of the time. */
  static LaneResult paced(List<LaneResult> lanes) {
    LaneResult sum = sum(lanes);
    sum.takes(Math.max(1.0, (double) (sum.endMicros - sum.startMicros)));
    return sum;
  }

  private void takes(double micros) {
    bytesPerSecond = Math.min(bytesPerSecond, bytes * 1e6 / micros);
    operationsPerSecond = Math.min(operationsPerSecond, operations() * 1e6 / micros);
  }

  /** Joins lanes; their rates add up. */
  public static LaneResult sum(Iterable<LaneResult> lanes) {
    LaneResult sum = new LaneResult();
    for (LaneResult lane : lanes) {
      sum.add(lane);
    }
    return sum;
  }

  /**
   * Joins what several clients did: the rates are those of what they did in the time that all have
   * in common, and not a number without any.
   */
  public static LaneResult inCommon(Iterable<LaneResult> clients, Spread.Sum done, long micros) {
    LaneResult sum = sum(clients);
    sum.bytesPerSecond = micros > 0 ? done.bytes() * 1e6 / micros : Double.NaN;
    sum.operationsPerSecond = micros > 0 ? done.operations() * 1e6 / micros : Double.NaN;
    return sum;
  }

  /** All of it, to be read elsewhere by {@link #of(Fields, long)}. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("latencies", latencies.numbers());
    fields.put("first_bytes", firstBytes.numbers());
    fields.put("delays", delays.numbers());
    fields.put("troubles", troubles);
    if (operations() > 0) {
      fields.put("start_micros", startMicros);
      fields.put("end_micros", endMicros);
    }
    fields.put("bytes", bytes);
    fields.put("failures", failures);
    fields.put("verified", verified);
    fields.put("requests", requests);
    fields.put("retries", retries);
    fields.put("backoff_micros", backoffMicros);
    fields.put("bytes_per_second", bytesPerSecond);
    fields.put("operations_per_second", operationsPerSecond);
    if (failure != null) {
      fields.put("failure", failure.name());
      fields.put("message", message);
    }
    return fields;
  }

  /**
   * What {@link #fields} wrote.
   *
   * @param laterMicros what its clock shows more than this one
   * @throws IllegalArgumentException with one line, when it is no such thing
   */
  public static LaneResult of(Fields fields, long laterMicros) {
    LaneResult made = new LaneResult();
    made.latencies.add(LatencyHistogram.ofNumbers(fields.numbers("latencies")));
    made.firstBytes.add(LatencyHistogram.ofNumbers(fields.numbers("first_bytes")));
    made.delays.add(LatencyHistogram.ofNumbers(fields.numbers("delays")));
    fields.texts("troubles").stream().limit(MAX_TROUBLES).forEach(made.troubles::add);
    if (made.operations() > 0) {
      long far = Long.MAX_VALUE / 4;
      made.startMicros = fields.number("start_micros", -far, far) - laterMicros;
      made.endMicros = fields.number("end_micros", -far, far) - laterMicros;
    }
    made.bytes = fields.number("bytes", 0, Long.MAX_VALUE);
    made.failures = fields.number("failures", 0, Long.MAX_VALUE);
    made.verified = fields.number("verified", 0, Long.MAX_VALUE);
    made.requests = fields.number("requests", 0, Long.MAX_VALUE);
    made.retries = fields.number("retries", 0, Long.MAX_VALUE);
    made.backoffMicros = fields.number("backoff_micros", 0, Long.MAX_VALUE);
    made.bytesPerSecond = fields.amount("bytes_per_second");
    made.operationsPerSecond = fields.amount("operations_per_second");
    if (fields.has("failure")) {
      made.failure = fields.word("failure", FailureKind.class);
      made.message = fields.text("message");
    }
    return made;
  }

  /** When the first operation that counts began; only where there is one. */
  public long startMicros() {
    return startMicros;
  }

  /** When the last one ended. */
  public long endMicros() {
    return endMicros;
  }

  private void add(LaneResult lane) {
    latencies.add(lane.latencies);
    firstBytes.add(lane.firstBytes);
    delays.add(lane.delays);
    lane.troubles.stream().limit(MAX_TROUBLES - (long) troubles.size()).forEach(troubles::add);
    startMicros = Math.min(startMicros, lane.startMicros);
    endMicros = Math.max(endMicros, lane.endMicros);
    bytes += lane.bytes;
    busyMicros += lane.busyMicros;
    failures += lane.failures;
    verified += lane.verified;
    requests += lane.requests;
    retries += lane.retries;
    backoffMicros += lane.backoffMicros;
    bytesPerSecond += lane.bytesPerSecond;
    operationsPerSecond += lane.operationsPerSecond;
    if (failure == null) {
      failure = lane.failure;
      message = lane.message;
    }
  }

  /** Operations that succeeded. */
  public long operations() {
    return latencies.count();
  }

  public LatencyHistogram latencies() {
    return latencies;
  }

  public LatencyHistogram firstBytes() {
    return firstBytes;
  }

  /** From when operations were planned to when they began; all 0 in a closed loop. */
  public LatencyHistogram delays() {
    return delays;
  }

  public List<String> troubles() {
    return troubles;
  }

  public long bytes() {
    return bytes;
  }

  public long failures() {
    return failures;
  }

  /** Operations whose CRC32C was compared. */
  public long verified() {
    return verified;
  }

  public long requests() {
    return requests;
  }

  public long retries() {
    return retries;
  }

  public long backoffMicros() {
    return backoffMicros;
  }

  /** Bytes over the time that the store took for them. */
  public double bytesPerSecond() {
    return bytesPerSecond;
  }

  public double operationsPerSecond() {
    return operationsPerSecond;
  }

  /** Operations from the first one's begin to the last one's end. */
  public double wallOperationsPerSecond() {
    return operations() == 0 ? 0 : operations() * 1e6 / Math.max(1, endMicros - startMicros);
  }

  /** Bytes from the first operation's begin to the last one's end, whoever took the time. */
  public double wallBytesPerSecond() {
    return operations() == 0 ? 0 : bytes * 1e6 / Math.max(1, endMicros - startMicros);
  }

  /** Of the first operation that failed; null for none. */
  public @Nullable FailureKind failure() {
    return failure;
  }

  public String message() {
    return message;
  }
}

package ebb.storage.bench;

import ebb.core.attempts.Outcome;
import ebb.storage.port.ObjectEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a phase ended.
 *
 * @param cancelled whether it was told to end early
 * @param processes of each lane
 * @param lanes what each came to, in the phase's order
 * @param transfers each operation, if the phase keeps them
 * @param entries of the listings in it
 * @param kinds what each kind of request came to, in all lanes, by its name
 * @param notBegun operations that were planned and never begun, because no lane was free in time
 * @param course what was done over the time of it
 * @param discarded what it warmed up with; null for nothing
 * @param time what was done when; null when nobody kept it
 * @param joined the sum, if it is not to be made of the lanes: that of several clients
 */
public record PhaseResult(
    boolean cancelled,
    List<Integer> processes,
    List<LaneResult> lanes,
    List<Transfer> transfers,
    List<ObjectEntry> entries,
    Map<String, LaneResult> kinds,
    @Nullable Long notBegun,
    List<Course.Window> course,
    @Nullable Discarded discarded,
    @Nullable Time time,
    @Nullable LaneResult joined) {
  /**
   * What was done over the time of a phase.
   *
   * @param startMicros when it began, on this machine's monotonic clock
   * @param spread since then
   */
  public record Time(long startMicros, Spread spread) {}

  /** Of a closed loop whose kinds nobody asks for. */
  public PhaseResult(
      boolean cancelled,
      List<Integer> processes,
      List<LaneResult> lanes,
      List<Transfer> transfers,
      List<ObjectEntry> entries) {
    this(
        cancelled, processes, lanes, transfers, entries, Map.of(), null, List.of(), null, null,
        null);
  }

  /** All lanes together: what they moved over the time that at least one was in the store. */
  public LaneResult sum() {
    if (joined != null) {
      return joined;
    }
    if (notBegun != null) {
      return LaneResult.paced(lanes);
    }
    return transfers.isEmpty()
        ? LaneResult.together(lanes)
        : LaneResult.during(lanes, microsUnderWay());
  }

  /** The lanes of one process together. */
  public LaneResult process(int process) {
    List<LaneResult> its = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      if (processes.get(i) == process) {
        its.add(lanes.get(i));
      }
    }
    return LaneResult.together(its);
  }

  /** How long at least one of the transfers was under way. */
  private double microsUnderWay() {
    List<Outcome> sorted =
        transfers.stream()
            .map(Transfer::outcome)
            .sorted(Comparator.comparingLong(Outcome::startMicros))
            .toList();
    long sum = 0;
    long until = Long.MIN_VALUE;
    for (Outcome one : sorted) {
      sum += Math.max(0, one.endMicros() - Math.max(until, one.startMicros()));
      until = Math.max(until, one.endMicros());
    }
    return (double) sum;
  }
}

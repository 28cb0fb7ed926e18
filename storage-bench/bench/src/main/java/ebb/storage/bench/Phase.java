package ebb.storage.bench;

import ebb.storage.port.StoragePort.Request;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that lanes do side by side. A lane sends one request after the other, each when the one
 * before is answered: a closed loop, so a slow store is asked less often. With a {@link Pace} lanes
 * share planned times instead.
 *
 * @param name for people
 * @param warmupMicros operations that begin earlier in the phase are not counted unless they fail;
 *     at most, with a search
 * @param warmupOperations of each lane, at most, that are not counted
 * @param keepEach whether every operation is kept, with its progress, or only their sum
 * @param pace when operations are to begin; null as soon as a lane has time
 * @param search ends the warm-up when the rate is steady; null when it lasts as long as it says
 * @param persistent goes on after failures and when everything else is cancelled: cleaning up
 */
public record Phase(
    String name,
    List<Lane> lanes,
    long warmupMicros,
    int warmupOperations,
    boolean keepEach,
    @Nullable Pace pace,
    @Nullable SteadyState search,
    boolean persistent) {
  public Phase {
    lanes = List.copyOf(lanes);
  }

  /** A closed loop. */
  public Phase(
      String name,
      List<Lane> lanes,
      long warmupMicros,
      int warmupOperations,
      boolean keepEach,
      boolean persistent) {
    this(name, lanes, warmupMicros, warmupOperations, keepEach, null, null, persistent);
  }

  /**
   * An open loop: operations are planned at even distances, whether earlier ones have ended or not.
   *
   * @param perSecond more than 0
   * @param micros for which operations are planned
   * @param firstShare when the first one is, as a share of that distance, 0 to 1: of several
   *     clients, each has its own
   */
  public record Pace(double perSecond, long micros, double firstShare) {
    /** When one is planned, from the begin of the phase. */
    long plannedMicros(long number) {
      return (long) ((number + firstShare) * 1e6 / perSecond);
    }

    /** How many are planned until then. */
    long plannedBy(long atMicros) {
      double distances = Math.min(atMicros, micros) * perSecond / 1e6;
      return (long) Math.max(0, Math.ceil(distances - firstShare));
    }
  }

  /**
   * One after the other.
   *
   * @param process that the lane belongs to, from 0
   * @param delayMicros after which it begins
   * @param requests asked for one at a time, from one thread
   */
  public record Lane(int process, long delayMicros, Iterator<Request> requests) {}

  /** A single request. */
  public static Phase of(String name, Request request) {
    return new Phase(
        name, List.of(new Lane(0, 0, List.of(request).iterator())), 0, 0, false, false);
  }
}

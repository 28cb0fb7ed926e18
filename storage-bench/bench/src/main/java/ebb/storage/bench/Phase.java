package ebb.storage.bench;

import ebb.storage.port.StoragePort.Request;
import java.util.Iterator;
import java.util.List;

/**
 * Work that lanes do side by side. A lane sends one request after the other, each when the one
 * before is answered: a closed loop, so a slow store is asked less often.
 *
 * @param name for people
 * @param warmupMicros operations that begin earlier in the phase are not counted unless they fail
 * @param warmupOperations of each lane, at most, that are not counted
 * @param keepEach whether every operation is kept, with its progress, or only their sum
 * @param persistent goes on after failures and when everything else is cancelled: cleaning up
 */
public record Phase(
    String name,
    List<Lane> lanes,
    long warmupMicros,
    int warmupOperations,
    boolean keepEach,
    boolean persistent) {
  public Phase {
    lanes = List.copyOf(lanes);
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

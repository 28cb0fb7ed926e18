package ebb.ledbat.netty;

import ebb.ledbat.endpoint.Steering;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The loops of one port as one of them sees them: takes bursts apart by whose they are, and passes
 * on what is not this loop's. Mostly the kernel has done that already, but it cannot take apart
 * what it joined, and knows no filter before all sockets are there. Used on the loop.
 */
final class SiblingLoops {
  private final int self;
  private final List<LoopInbox> inboxes;
  private final boolean[] given;

  /**
   * @param inboxes one for each loop, this one too
   */
  SiblingLoops(int self, List<LoopInbox> inboxes) {
    this.self = self;
    this.inboxes = inboxes;
    given = new boolean[inboxes.size()];
  }

  /** Whether it is the one that says what is the same for all. */
  boolean isFirst() {
    return self == 0;
  }

  /** What others pass on to this loop. */
  LoopInbox inbox() {
    return inboxes.get(self);
  }

  /** Takes a burst that this loop's socket got; {@code own} gets what belongs here. */
  void receive(
      InetSocketAddress from,
      ByteBuffer burst,
      int segmentSizeBytes,
      DriverCounts counters,
      LoopInbox.Receiver own) {
    int limit = burst.limit();
    int step = Math.max(1, segmentSizeBytes);
    int runAt = burst.position();
    int runOwner = self;
    for (int at = runAt; at < limit; at += step) {
      int end = Math.min(at + step, limit);
      int owner = Steering.ownerOf(burst, at, end - at, inboxes.size());
      if (owner == Steering.NOBODY) {
        owner = self;
      } else {
        int second = Steering.secondOwnerOf(burst, at, inboxes.size());
        if (second != Steering.NOBODY) {
          pass(second, from, burst.limit(end).position(at), step, counters, own);
          burst.limit(limit);
        }
      }
      if (owner != runOwner && at > runAt) {
        pass(runOwner, from, burst.limit(at).position(runAt), step, counters, own);
        burst.limit(limit);
        runAt = at;
      }
      runOwner = owner;
    }
    pass(runOwner, from, burst.limit(limit).position(runAt), segmentSizeBytes, counters, own);
  }

  private void pass(
      int owner,
      InetSocketAddress from,
      ByteBuffer run,
      int segmentSizeBytes,
      DriverCounts counters,
      LoopInbox.Receiver own) {
    if (owner == self) {
      own.receive(from, run, segmentSizeBytes);
      return;
    }
    int datagrams = (run.remaining() + segmentSizeBytes - 1) / segmentSizeBytes;
    if (inboxes.get(owner).offer(from, run, segmentSizeBytes)) {
      given[owner] = true;
      counters.handedOver += datagrams;
    } else {
      counters.handOverDropped += datagrams;
    }
  }

  /** Wakes those that were given something since the last call. */
  void wake() {
    for (int i = 0; i < given.length; i++) {
      if (given[i]) {
        given[i] = false;
        inboxes.get(i).wake();
      }
    }
  }
}

package ebb.background.law;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One window for many connections to one place: adds up what they carry, asks the law once a round,
 * and divides the window among those that carry something. Not thread-safe.
 */
public final class SharedWindow {
  /** Two wake-ups of a busy host; a shorter round says little about a rate. */
  private static final long LEAST_ROUND_MICROS = 20_000;

  /** Nothing for so long, beyond two round trips, and a round trip measured next holds a pause. */
  private static final long PAUSE_MICROS = 200_000;

  /** What every host takes (RFC 9293), for a kernel that does not know yet. */
  private static final int LEAST_PACKET_BYTES = 536;

  private static final long LEAST_TICK_MICROS = 5_000;
  private static final long MOST_TICK_MICROS = 50_000;

  private final WindowLaw law;
  private final Supplier<Siblings> siblings;
  private final List<Member> members = new ArrayList<>();
  private long roundBegan = Long.MIN_VALUE;
  private long roundBytes;
  private long roundRtt;
  private long lastRtt;
  private boolean roundLossy;
  private int packetBytes = 1448;
  private int active;
  private long openedFrom;
  private long openedSince;
  private long lastSeen = Long.MIN_VALUE;

  /**
   * A window of no connections yet.
   *
   * @param siblings flows of the same owner, with windows of their own
   * @param targetMicros the queue that is wanted; 0 for the law's own
   */
  public SharedWindow(Supplier<Siblings> siblings, long targetMicros) {
    this.siblings = siblings;
    law = new WindowLaw(targetMicros);
  }

  /** What one connection tells of itself, and is told. */
  public final class Member {
    private long bytes = -1;
    private long packets;
    private long losses;
    private long recoversUntil = Long.MIN_VALUE;
    private long lastArrival = Long.MIN_VALUE;
    private long busySince = Long.MIN_VALUE;

    private Member() {}

    /**
     * What the kernel knows of the connection now.
     *
     * @param totalBytes carried in order since its beginning
     * @param totalPackets packets with data since its beginning, in any order
     * @param totalLosses packets out of order, or sent again, since its beginning
     * @param rttMicros the round trip that the kernel measured last; 0 for none
     * @param fullPacketBytes payload of a full packet
     */
    public void sample(
        long nowMicros,
        long totalBytes,
        long totalPackets,
        long totalLosses,
        long rttMicros,
        int fullPacketBytes) {
      boolean first = bytes < 0;
      boolean lossy = !first && totalLosses > losses;
      packetBytes = Math.max(LEAST_PACKET_BYTES, fullPacketBytes);
      if (lossy) {
        recoversUntil = nowMicros + 2 * law.rttMicros();
      }
      // Nothing arrives in order while a gap is open, and everything when it closes.
      long arrived =
          nowMicros < recoversUntil
              ? (totalPackets - packets) * packetBytes
              : Math.max(0, totalBytes - Math.max(0, bytes));
      bytes = totalBytes;
      packets = totalPackets;
      losses = totalLosses;
      if (arrived > 0) {
        long pause = 2 * law.rttMicros() + PAUSE_MICROS;
        if (lastArrival == Long.MIN_VALUE || nowMicros - lastArrival > pause) {
          busySince = nowMicros;
        }
        lastArrival = nowMicros;
        roundBytes += arrived;
        roundLossy |= lossy;
        boolean fresh = rttMicros > 0 && nowMicros - busySince >= law.rttMicros();
        lastRtt = fresh ? rttMicros : 0;
        if (fresh && (roundRtt == 0 || rttMicros < roundRtt)) {
          roundRtt = rttMicros;
        }
      }
      endRound(nowMicros);
    }

    /** What this connection may have in flight. */
    public long windowBytes() {
      long whole = law.windowBytes() == 0 ? 10L * packetBytes : opened(lastSeen);
      return Math.max(packetBytes, whole / Math.max(1, active + (isActive(lastSeen) ? 0 : 1)));
    }

    /** Bytes that it carried. */
    public long bytes() {
      return Math.max(0, bytes);
    }

    private boolean isActive(long nowMicros) {
      return lastArrival != Long.MIN_VALUE
          && nowMicros - lastArrival <= 2 * law.rttMicros() + PAUSE_MICROS;
    }

    /** It is closed. */
    public void leave() {
      members.remove(this);
    }
  }

  /** A connection more. handshakeMicros: the round trip of its handshake; 0 where unknown. */
  public Member join(long nowMicros, long handshakeMicros) {
    Member member = new Member();
    members.add(member);
    if (handshakeMicros > 0) {
      law.handshake(nowMicros, handshakeMicros);
    }
    return member;
  }

  private void endRound(long nowMicros) {
    boolean paused =
        lastSeen != Long.MIN_VALUE && nowMicros - lastSeen > 2 * law.rttMicros() + PAUSE_MICROS;
    lastSeen = nowMicros;
    if (roundBegan == Long.MIN_VALUE || paused) {
      countActive(nowMicros);
      startRound(nowMicros);
      return;
    }
    long duration = nowMicros - roundBegan;
    boolean over = duration >= Math.max(LEAST_ROUND_MICROS, law.rttMicros());
    if (!over && !(duration >= LEAST_ROUND_MICROS && law.endsLook(lastRtt))) {
      return;
    }
    if (!over) {
      roundRtt = lastRtt;
    }
    countActive(nowMicros);
    if (roundRtt > 0) {
      openedFrom = Math.min(opened(nowMicros), law.windowBytes());
      openedSince = nowMicros;
      law.update(
          new Round(
              nowMicros,
              duration,
              roundRtt,
              roundBytes,
              roundLossy,
              packetBytes,
              Math.max(1, active),
              siblings.get()));
      startRound(nowMicros);
    } else if (active == 0) {
      startRound(nowMicros);
    }
  }

  /** The window opens over a round trip: what opens at once comes as a burst, which is a queue. */
  private long opened(long nowMicros) {
    long goal = law.windowBytes();
    double part = (nowMicros - openedSince) / (double) Math.max(1, law.rttMicros());
    return goal <= openedFrom || part >= 1
        ? goal
        : openedFrom + (long) (part * (goal - openedFrom));
  }

  private void countActive(long nowMicros) {
    active = 0;
    for (Member member : members) {
      active += member.isActive(nowMicros) ? 1 : 0;
    }
  }

  private void startRound(long nowMicros) {
    roundBegan = nowMicros;
    roundBytes = 0;
    roundRtt = 0;
    roundLossy = false;
  }

  /** How long a connection that carries data may go on without a sample, in microseconds. */
  public long tickMicros() {
    return Math.max(LEAST_TICK_MICROS, Math.min(MOST_TICK_MICROS, law.rttMicros() / 8));
  }

  /** What is known of the path. */
  public WindowLaw law() {
    return law;
  }

  /** Connections that carried something in the last round trips. */
  public int active() {
    return active;
  }

  /** Connections. */
  public int size() {
    return members.size();
  }
}

package ebb.background.law;

import java.util.ArrayList;
import java.util.List;

/**
 * One window for many connections to one place: adds up what they carry, asks the law once a round,
 * and divides the window among those that carry something. Not thread-safe.
 */
public final class SharedWindow {
  /** Two wake-ups of a busy host; a shorter round says little about a rate. */
  private static final long LEAST_ROUND_MICROS = 20_000;

  /** Nothing for so long, beyond two round trips, and a round trip measured next holds a pause. */
  private static final long PAUSE_MICROS = 200_000;

  private static final long LEAST_TICK_MICROS = 5_000;
  private static final long MOST_TICK_MICROS = 50_000;

  private final WindowLaw law = new WindowLaw();
  private final List<Member> members = new ArrayList<>();
  private long roundBegan = Long.MIN_VALUE;
  private long roundBytes;
  private long roundRtt;
  private boolean roundLossy;
  private int packetBytes = 1448;
  private int active;
  private long lastSeen = Long.MIN_VALUE;

  /** What one connection tells of itself, and is told. */
  public final class Member {
    private long bytes = -1;
    private long losses;
    private long lastArrival = Long.MIN_VALUE;
    private long busySince = Long.MIN_VALUE;

    private Member() {}

    /**
     * What the kernel knows of the connection now.
     *
     * @param totalBytes carried since its beginning
     * @param totalLosses packets out of order, or sent again, since its beginning
     * @param rttMicros the round trip that the kernel measured last; 0 for none
     * @param fullPacketBytes payload of a full packet
     */
    public void sample(
        long nowMicros, long totalBytes, long totalLosses, long rttMicros, int fullPacketBytes) {
      boolean first = bytes < 0;
      long arrived = first ? totalBytes : totalBytes - bytes;
      boolean lossy = !first && totalLosses > losses;
      bytes = totalBytes;
      losses = totalLosses;
      packetBytes = Math.max(536, fullPacketBytes);
      if (arrived > 0) {
        long pause = 2 * law.rttMicros() + PAUSE_MICROS;
        if (lastArrival == Long.MIN_VALUE || nowMicros - lastArrival > pause) {
          busySince = nowMicros;
        }
        lastArrival = nowMicros;
        roundBytes += arrived;
        roundLossy |= lossy;
        boolean fresh = rttMicros > 0 && nowMicros - busySince >= law.rttMicros();
        if (fresh && (roundRtt == 0 || rttMicros < roundRtt)) {
          roundRtt = rttMicros;
        }
      }
      endRound(nowMicros);
    }

    /** What this connection may have in flight. */
    public long windowBytes() {
      long whole = law.windowBytes() == 0 ? 10L * packetBytes : law.windowBytes();
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
    if (duration < Math.max(LEAST_ROUND_MICROS, law.rttMicros())) {
      return;
    }
    countActive(nowMicros);
    if (roundRtt > 0) {
      law.update(
          new Round(
              nowMicros,
              duration,
              roundRtt,
              roundBytes,
              roundLossy,
              packetBytes,
              Math.max(1, active)));
      startRound(nowMicros);
    } else if (active == 0) {
      startRound(nowMicros);
    }
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
    return Math.max(LEAST_TICK_MICROS, Math.min(MOST_TICK_MICROS, law.rttMicros() / 4));
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

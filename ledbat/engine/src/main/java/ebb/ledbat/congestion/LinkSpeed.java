package ebb.ledbat.congestion;

/**
 * What the path's slowest link carries, whoever is on it: of two packets that were sent at once the
 * second arrives later by what that link takes for it (packet-pair dispersion; Keshav, SIGCOMM
 * 1991). Others' packets before both of them do not matter; those that come between them, and hosts
 * that are late, make the time longer, so that the shortest of late counts. Owns that time.
 *
 * <p>Where a policer drops what a fast link carries, it is that of the fast link. Where a path
 * holds packets back, two of them tell nothing; that is for the caller to know.
 *
 * <p>Not thread-safe.
 */
final class LinkSpeed {
  private static final long AT_ONCE_MICROS = 20;
  private static final long WINDOW_MICROS = 10_000_000;
  private static final int ENOUGH_PAIRS = 3;

  /** Hosts are late by as much: a link that takes less for a packet is not measured. */
  private static final long LEAST_MICROS = 50;

  private static final double MOST_PACKETS = 1.05;
  private static final long NONE = Long.MIN_VALUE;

  private final RecentMinimum recent = new RecentMinimum();
  private long sentMicros = NONE;
  private long delayMicros;
  private long shortestMicros;
  private int pairs;

  /**
   * Packets were acknowledged.
   *
   * @param packets how many full ones that makes: of more than one only the newest is known
   * @param sentMicros when the newest was sent
   * @param delayMicros its one-way delay
   */
  void onAck(double packets, long sentMicros, long delayMicros, long nowMicros) {
    long apartMicros = sentMicros - this.sentMicros;
    boolean atOnce = this.sentMicros != NONE && apartMicros >= 0 && apartMicros <= AT_ONCE_MICROS;
    boolean single = packets > 2 - MOST_PACKETS && packets < MOST_PACKETS;
    if (atOnce && single) {
      long laterMicros = Math.max(0, apartMicros + delayMicros - this.delayMicros);
      shortestMicros = recent.add(laterMicros, WINDOW_MICROS, nowMicros);
      pairs++;
    }
    this.sentMicros = sentMicros;
    this.delayMicros = delayMicros;
  }

  /** Payload bytes per second in packets of this size; 0 while unknown. */
  double bytesPerSecond(int mssBytes) {
    boolean known = pairs >= ENOUGH_PAIRS && shortestMicros >= LEAST_MICROS;
    return known ? mssBytes * 1e6 / shortestMicros : 0;
  }
}

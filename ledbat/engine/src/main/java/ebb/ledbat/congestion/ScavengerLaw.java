package ebb.ledbat.congestion;

/**
 * How much queue a scavenger wants: {@code K / sqrt(r)} at a rate r, one packet's time, and never
 * more than half of what once was too much for the buffer. All connections of a bottleneck see the
 * same queue, so all that follow the law have the same rate; n of them make sqrt(n) times the queue
 * of one; and one that sees a long queue wants a very small rate. Owns the bounds; what follows
 * from them is the controller's.
 *
 * <p>Not thread-safe.
 */
final class ScavengerLaw {
  /** No rate wants more queue than this. */
  static final long MAX_QUEUE_MICROS = 30_000;

  /** K: 2.5 ms at 10 Mbit/s, half of the queue that CoDel lets stand. */
  private static final double REFERENCE_QUEUE_MICROS = 2_500;

  /** A queue that is to be told from none is a little longer than a host's noise. */
  private static final double SEEN_MICROS = 600;

  private static final double REFERENCE_BYTES_PER_SECOND = 1_250_000;

  /** Packets come whole: one packet's time on the link is no queue, up to this much. */
  private static final long MAX_PACKET_MICROS = 1_500;

  /** ... and up to this much where a rival would make several of them wait. */
  private static final long MAX_UNIT_MICROS = 5_000;

  /** A queue of so many times what one connection makes alone is not of its kind ... */
  private static final double LONG = 3;

  /** ... if it is longer than hosts and radio links are late. */
  private static final double LEAST_LONG_MICROS = 5_000;

  /** Less than these parts of the queue wanted and of a packet counts as none. */
  private static final double EMPTY_PART = 0.25;

  private static final double EMPTY_PACKETS = 0.6;

  /** Less than this part of the queue wanted is no warning of a full buffer. */
  private static final double QUIET_PART = 0.7;

  /** So much of a queue that was too long for the buffer is not. */
  private static final double FULL_PART = 0.5;

  /** What was too long is tried again little by little: buffers and their other users change. */
  private static final double FULL_GROWTH = 1.0005;

  private final PathRate pathRate;
  private double mostMicros;
  private int mssBytes;
  private double fullMicros = Double.MAX_VALUE;

  /** A law for the path of which {@code pathRate} knows the rate. */
  ScavengerLaw(PathRate pathRate, long targetDelayMicros, int mssBytes) {
    this.pathRate = pathRate;
    this.mssBytes = mssBytes;
    setTargetDelayMicros(targetDelayMicros);
  }

  /** Here a bound: the law never wants more. */
  void setTargetDelayMicros(long targetDelayMicros) {
    mostMicros = Math.min(MAX_QUEUE_MICROS, targetDelayMicros);
  }

  void setMssBytes(int mssBytes) {
    this.mssBytes = mssBytes;
  }

  /** A queue of this length was too much for the buffer. */
  void onFull(double queueMicros) {
    fullMicros =
        Math.min(
            fullMicros, Math.max(queueMicros, Math.max(packetMicros(), SEEN_MICROS / FULL_PART)));
  }

  void onRound() {
    fullMicros *= FULL_GROWTH;
    if (fullMicros > 2 * MAX_QUEUE_MICROS) {
      fullMicros = Double.MAX_VALUE;
    }
  }

  /** The queue that a connection wants that sends at this rate. */
  double wantedMicros(double bytesPerSecond) {
    return Math.min(mostMicros, lawMicros(bytesPerSecond)) + packetMicros();
  }

  private double lawMicros(double bytesPerSecond) {
    double micros =
        REFERENCE_QUEUE_MICROS
            * Math.sqrt(REFERENCE_BYTES_PER_SECOND / Math.max(1, bytesPerSecond));
    double seenMicros = Math.sqrt(micros * micros + SEEN_MICROS * SEEN_MICROS);
    return Math.min(FULL_PART * fullMicros, seenMicros);
  }

  /** The queue that this connection makes when it has the link for itself. */
  double aloneMicros() {
    return lawMicros(pathRate.maxBytesPerSecond()) + packetMicros();
  }

  /** Whether a rival makes such a queue, so that the buffer holds one that can be seen. */
  boolean isLong(double queueMicros) {
    return queueMicros > Math.max(LEAST_LONG_MICROS, LONG * aloneMicros());
  }

  /** A queue that comes and goes tells of a TCP if it is no shorter than this. */
  double toothMicros() {
    return Math.max(aloneMicros(), Math.max(ScavengerPath.NOISE_MICROS, wholePacketMicros()));
  }

  /** What one packet takes on the link, as far as that counts as no queue; 0 while unknown. */
  double packetMicros() {
    return Math.min(MAX_PACKET_MICROS, wholePacketMicros());
  }

  /** What one packet takes on the link; 0 while unknown. */
  double wholePacketMicros() {
    double rate = pathRate.maxBytesPerSecond();
    return rate == 0 ? 0 : mssBytes * 1e6 / rate;
  }

  /** Whether a packet takes so long that it counts only in part. */
  boolean isSlow() {
    return wholePacketMicros() > MAX_PACKET_MICROS;
  }

  /** What one packet takes where packets that come alone are late by up to that. */
  double unitMicros() {
    return Math.min(MAX_UNIT_MICROS, wholePacketMicros());
  }

  /** A mean queue of less than this warned of nothing at this rate. */
  double quietMicros(double bytesPerSecond) {
    return QUIET_PART * wantedMicros(bytesPerSecond);
  }

  /**
   * Less than this is no queue.
   *
   * @param byUnits whether a slow link's packet counts as it is
   */
  double emptyMicros(double leastMicros, boolean byUnits) {
    double law = lawMicros(pathRate.maxBytesPerSecond());
    boolean slow = byUnits && isSlow();
    double packetMicros = slow ? unitMicros() : EMPTY_PACKETS * packetMicros();
    return Math.max(leastMicros, EMPTY_PART * law + packetMicros);
  }
}

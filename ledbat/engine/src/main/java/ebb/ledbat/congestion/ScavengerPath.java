package ebb.ledbat.congestion;

/**
 * What a scavenger knows of its path: how long a packet waits beyond what the path itself varies,
 * since when nothing has waited, what the path carries, and how much queue is wanted there. Owns
 * the estimates; what follows from them is the controller's.
 *
 * <p>Not thread-safe.
 */
final class ScavengerPath {
  /** Packets that come alone wake hosts, which takes this long. */
  static final double NOISE_MICROS = 1_000;

  /** Less queue than this is none. */
  static final double EMPTY_MICROS = 300;

  private static final long NOISE_GAP_MICROS = 1_000_000;

  /** A TCP whose buffer holds many packets fills it more often than this. */
  private static final long RECENT_MICROS = 20_000_000;

  /** Newcomers of its kind make queues of their own that long after one another. */
  private static final long LASTING_MICROS = 120_000_000;

  /** On a slow link packets that come alone are late by a part of a packet's time. */
  private static final double NOISE_PACKETS = 0.4;

  /** What a policer's bucket or a buffer may hold of which nothing tells: 30 kB. */
  private static final double BUCKET_PACKETS = 20;

  /** A TCP sends this part of what the path carries, in the mean between its losses. */
  private static final double TCP_MEAN_PART = 0.75;

  /** Growth by round trips is slow from here on. */
  private static final long FAR_MICROS = 80_000;

  private static final int DEEP_PACKETS = 4;

  /** A buffer of more than this many times what the path holds back shows a rival all the same. */
  private static final double DEEP_BEYOND_JITTER = 4;

  private static final int MANY_PACKETS = 10;
  private static final long NEVER = Long.MIN_VALUE;

  final QueueEstimate queue = new QueueEstimate();
  final WindowHistory windows = new WindowHistory();
  final PathRate rate = new PathRate();
  final PathJitter jitter = new PathJitter();
  final ScavengerLaw law;

  private final DelayNoise noise = new DelayNoise();
  private final BufferWarning buffer = new BufferWarning();
  private final RecentMinimum recentNegatives = new RecentMinimum();
  private final RecentMinimum lastingNegatives = new RecentMinimum();
  private long noiseMicros;
  private long newestSentMicros = NEVER;
  private long delayMicros;
  private long longestMicros;
  private long recentLongestMicros;
  private long lastingLongestMicros;
  private long emptySinceMicros = NEVER;

  ScavengerPath(long targetDelayMicros, int mssBytes) {
    law = new ScavengerLaw(rate, targetDelayMicros, mssBytes);
  }

  /** A round trip was measured, of the newest packet that is acknowledged now. */
  void onRtt(long rttMicros, long nowMicros) {
    queue.onRtt(rttMicros, nowMicros);
    newestSentMicros = nowMicros - rttMicros;
  }

  /**
   * A one-way delay was measured.
   *
   * @param stopped while this connection lets the queue empty
   * @param small whether so little is in flight that packets come alone
   * @param afterStop whether of a packet that was sent just after a stop
   * @return whether the next stop will tell more of how much the path varies
   */
  boolean onDelay(
      long oneWayDelayMicros, boolean stopped, boolean small, boolean afterStop, long nowMicros) {
    queue.onDelay(oneWayDelayMicros, nowMicros);
    delayMicros = oneWayDelayMicros;
    boolean longAgo = nowMicros - noiseMicros > NOISE_GAP_MICROS;
    longestMicros = Math.max(longestMicros, queue.queueMicros());
    recentLongestMicros = -recentNegatives.add(-queue.queueMicros(), RECENT_MICROS, nowMicros);
    lastingLongestMicros = -lastingNegatives.add(-queue.queueMicros(), LASTING_MICROS, nowMicros);
    noise.onDelay(oneWayDelayMicros, stopped || (small && longAgo), law.packetMicros());
    if (stopped || longAgo) {
      noiseMicros = nowMicros;
    }
    return jitter.onDelay(queue.queueMicros(), afterStop && !stopped);
  }

  /**
   * So many packets were acknowledged.
   *
   * @param alone whether so little is sent that packets come alone
   */
  void onAck(double packets, boolean alone) {
    if (alone) {
      jitter.onPause();
    } else if (newestSentMicros != NEVER) {
      jitter.onAck(packets, newestSentMicros, delayMicros, queue.latestRttMicros());
    }
    newestSentMicros = NEVER;
  }

  /** How long a packet waits, beyond what the path itself varies. */
  long queueMicros() {
    long most = law.isSlow() ? (long) (NOISE_PACKETS * law.wholePacketMicros()) : 0;
    long variesMicros = Math.max(jitter.micros(), Math.min(noise.micros(), most));
    return Math.max(0, queue.queueMicros() - variesMicros);
  }

  /** A round trip ended in which so many packets were lost. */
  void onRound(RoundTrip round, double lostPackets, boolean steering) {
    buffer.onRound(round.meanQueueMicros(), lostPackets > 0, steering, law.aloneMicros());
    buffer.onLosses(lostPackets, round.maxQueueMicros());
  }

  /** Whether a queue of its own was kept here, so that a full buffer shows. */
  boolean warns() {
    return buffer.isKnown();
  }

  /**
   * Whether a full buffer would have shown; {@code mostMicros}: the longest queue at the losses.
   */
  boolean wouldWarn(double mostMicros) {
    return buffer.isDue(mostMicros, law.aloneMicros());
  }

  /**
   * How often a TCP loses that fills this path with W packets: Reno grows by half of them, one in a
   * round trip; CUBIC needs {@link #tcpRecoveryMicros}. The shorter of both.
   */
  long tcpPeriodMicros() {
    return (long) tcpPeriodMicros(tcpPackets());
  }

  private double tcpPeriodMicros(double packets) {
    return Math.min(packets / 2 * queue.minRttMicros(), cubicRecoveryMicros(packets));
  }

  /** What CUBIC needs to come back to W packets: cbrt(W (1 - 0.7) / 0.4) s (RFC 9438, 4.2). */
  long tcpRecoveryMicros() {
    return (long) cubicRecoveryMicros(tcpPackets());
  }

  private static double cubicRecoveryMicros(double packets) {
    return 1e6 * StrictMath.cbrt(0.75 * packets);
  }

  /** How many packets a TCP that fills this path sends between its losses. */
  double tcpPacketsBetweenLosses() {
    double periodMicros = tcpPeriodMicros(tcpPackets() + BUCKET_PACKETS);
    return TCP_MEAN_PART * tcpPackets() * periodMicros / queue.minRttMicros();
  }

  private double tcpPackets() {
    double packetMicros = law.wholePacketMicros();
    return packetMicros == 0 ? 1 : Math.max(1, queue.minRttMicros() / packetMicros);
  }

  double rateOf(double windowBytes) {
    return windowBytes * 1e6 / queue.pathRttMicros();
  }

  /** Bytes per second that arrived in a round trip of which this part was lost, 0 to 1. */
  double delivered(RoundTrip round, double lostPart, long nowMicros) {
    double arrived = round.rate(queue.minRttMicros() / 2.0, nowMicros);
    return Math.min(arrived, rateOf(round.cwndBytes()) * (1 - lostPart));
  }

  double windowOf(double bytesPerSecond) {
    return bytesPerSecond * queue.pathRttMicros() / 1e6;
  }

  /**
   * Less than this is no queue.
   *
   * @param sendsLittle whether this connection's part of the queue is too small to be seen in it
   * @param looksForLink whether it waits for a rival to leave, whose queue is longer than a packet
   */
  double emptyMicros(boolean sendsLittle, boolean looksForLink) {
    return law.emptyMicros(sendsLittle ? NOISE_MICROS : EMPTY_MICROS, looksForLink && isDeep());
  }

  /** The longest queue that was seen: the buffer holds so much at least. */
  long longestMicros() {
    return longestMicros;
  }

  /** Whether a round trip is so long that what grows in each grows slowly. */
  boolean isFar() {
    return queue.minRttMicros() >= FAR_MICROS;
  }

  /** Of how many round trips the queue was that the buffer is known to hold. */
  double longestRoundTrips() {
    return longestMicros / (double) queue.minRttMicros();
  }

  /** The same of the last 10 to 20 seconds. */
  double recentRoundTrips() {
    return recentLongestMicros / (double) queue.minRttMicros();
  }

  /**
   * What part waits now of the longest queue of the last one or two minutes: 0 to 1. Near, hosts
   * that are late and BBR's beginning make the longest, so that it says nothing: 1.
   */
  double partOfLongest() {
    boolean tells = isFar() && lastingLongestMicros > 0;
    return tells ? queue.queueMicros() / (double) lastingLongestMicros : 1;
  }

  /** Whether single packets tell little of a rival: no queue has shown here, or jitter hides it. */
  boolean hidesRivals() {
    return !warns() || isJittery();
  }

  /** Whether the path is known to hold packets back by so much that it is no queue. */
  boolean isJittery() {
    return jitter.micros() > 0;
  }

  /**
   * How much later than {@link #queueMicros} leaves out the packets of a look may be: they come
   * alone, and the path holds such a one back for longer than the mean that is known. 0 where a
   * rival's queue would not show beside that.
   */
  double perhapsHeldBackMicros() {
    double togetherMicros = jitter.heldBackMicros();
    boolean deep = longestMicros > DEEP_BEYOND_JITTER * togetherMicros;
    return isJittery() && deep ? togetherMicros - jitter.micros() / 2.0 : 0;
  }

  /** Whether packets come together as if the path had held them back. */
  boolean holdsBack() {
    return jitter.holdsBack();
  }

  /** Whether the buffer is known to hold several packets, so that who fills it is seen. */
  boolean isDeep() {
    return longestMicros > DEEP_PACKETS * law.wholePacketMicros();
  }

  /** Whether the buffer is known to hold many packets, so that a rival makes more than two wait. */
  boolean holdsMany() {
    return longestMicros > MANY_PACKETS * law.unitMicros();
  }

  /**
   * Notes since when nothing has waited.
   *
   * @param emptyMicros less than this is no queue
   * @return whether that is longer than a round trip ago
   */
  boolean watchEmptiness(double emptyMicros, long nowMicros) {
    if (queueMicros() > emptyMicros) {
      emptySinceMicros = NEVER;
      return false;
    }
    if (emptySinceMicros == NEVER) {
      emptySinceMicros = nowMicros;
    }
    return nowMicros - emptySinceMicros > queue.pathRttMicros();
  }

  /** For how many round trips nothing has waited. */
  double emptyRoundTrips(long nowMicros) {
    return emptySinceMicros == NEVER
        ? 0
        : (nowMicros - emptySinceMicros) / (double) queue.pathRttMicros();
  }

  /** Emptiness counts from now on. */
  void forgetEmptiness() {
    emptySinceMicros = NEVER;
  }

  /** What was sent so far tells nothing of what is sent from now on. */
  void interrupt() {
    rate.interrupt();
    windows.clear();
  }
}

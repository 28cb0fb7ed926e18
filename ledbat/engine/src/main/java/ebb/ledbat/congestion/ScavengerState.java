package ebb.ledbat.congestion;

/**
 * What the parts of a scavenger share: its window, what it is about, and what it knows of the path
 * and of others. Each part changes the window only in the modes that are its own.
 *
 * <p>Not thread-safe.
 */
final class ScavengerState {
  /** This part of what the path is known to carry is next to nothing. */
  private static final double LITTLE = 0.125;

  /** What a burst of losses leaves of the window. */
  static final double BURST_CUT = 0.9;

  private static final int INITIAL_SEGMENTS = 3;
  private static final long NEVER = Long.MIN_VALUE;

  final ScavengerPath path;
  final QueueDrain drain = new QueueDrain();
  final RivalEvidence rivals = new RivalEvidence();
  final RateCeiling ceiling = new RateCeiling();
  final Regrowth regrowth = new Regrowth();
  final LossJudge losses = new LossJudge();

  ScavengerMode mode = ScavengerMode.RAMPING;

  /** Why it is so, for those who watch. */
  String trigger = "";

  double cwnd;
  int mssBytes;

  /** When the first growth ended. */
  long rampedMicros = NEVER / 2;

  /** What was sent before a stop comes to speed again until then. */
  long resumedUntilMicros = NEVER;

  ScavengerState(LedbatParameters parameters, int mssBytes) {
    path = new ScavengerPath(parameters.targetDelayMicros(), mssBytes);
    this.mssBytes = mssBytes;
    cwnd = initialWindowBytes();
  }

  void enter(ScavengerMode next, String why) {
    mode = next;
    trigger = why;
  }

  void setMssBytes(int mssBytes) {
    this.mssBytes = mssBytes;
    path.law.setMssBytes(mssBytes);
  }

  double initialWindowBytes() {
    return (double) INITIAL_SEGMENTS * mssBytes;
  }

  void setWindow(double bytes) {
    cwnd = Math.max(bytes, mssBytes);
  }

  /** Packets were lost: what was seen before tells nothing of what follows. */
  void onLosses(boolean ramped, long nowMicros) {
    path.forgetEmptiness();
    rivals.onOwnCut();
    if (ramped) {
      drain.onUpToSpeed(nowMicros);
    }
  }

  /** A burst was lost: less is sent, and no more than the ceiling. */
  void cutToCeiling() {
    setWindow(Math.min(BURST_CUT * cwnd, path.windowOf(ceiling.bytesPerSecond())));
  }

  /** The rate of today's window. */
  double rate() {
    return path.rateOf(cwnd);
  }

  boolean isSteering() {
    return mode == ScavengerMode.STEERING;
  }

  /** Whether nobody else holds this connection below what the path carries. */
  boolean isFree() {
    return isSteering() && path.queueMicros() < 2 * path.law.aloneMicros();
  }

  /** Whether this connection's part of the queue is too small to be seen in it. */
  boolean sendsLittle() {
    return cwnd <= 2.0 * mssBytes || rate() < LITTLE * path.rate.maxBytesPerSecond();
  }

  private boolean looksForLink() {
    return mode == ScavengerMode.YIELDING
        || mode == ScavengerMode.PROBING
        || mode == ScavengerMode.HOLDING;
  }

  /** Less than this is no queue. */
  double emptyMicros() {
    return path.emptyMicros(sendsLittle(), looksForLink());
  }
}

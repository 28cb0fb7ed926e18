package ebb.ledbat.congestion;

/**
 * Ebb's own controller: it keeps a queue of a few milliseconds, gives way at once to whoever does
 * not, and takes the link back as soon as it is free. docs/controllers.md explains the rules and
 * shows what they reach. Owns cwnd and the pacing rate of one connection.
 *
 * <p>Its law: a connection that sends at a rate r wants {@code K / sqrt(r)} of queue. All
 * connections of a bottleneck see the same queue, so all that follow the law have the same rate; n
 * of them make sqrt(n) times the queue of one; and one that sees a long queue wants a very small
 * rate, which is what yielding is. While a rival is suspected K is an eighth, which alone costs
 * nothing but precision, and next to a rival leaves it the queue.
 *
 * <p>Not thread-safe.
 */
final class ScavengerController implements CongestionController {
  static final String NAME = "scavenger";

  /** K: 5 ms at 10 Mbit/s. */
  private static final double REFERENCE_QUEUE_MICROS = 5_000;

  private static final double REFERENCE_BYTES_PER_SECOND = 1_250_000;
  private static final double RIVAL_FACTOR = 0.125;

  /** No rate wants more queue than this. */
  static final long MAX_QUEUE_MICROS = 30_000;

  /** Packets come whole: one packet's time on the link is no queue, up to this much. */
  private static final long MAX_PACKET_MICROS = 1_500;

  /** A TCP that holds the link leaves less than half of it, even after its cut. */
  private static final double RIVAL_LEAVES = 0.5;

  /** This part of what the path is known to carry is next to nothing. */
  private static final double LITTLE = 0.125;

  /** Part of the way to the law's window that a round trip's acknowledgements go up. */
  private static final double UP_GAIN = 0.4;

  /** Less than these parts of the queue wanted and of a packet counts as none. */
  private static final double EMPTY_PART = 0.25;

  private static final double EMPTY_PACKETS = 0.6;
  private static final double EMPTY_MICROS = 300;

  /** Packets that come alone wake hosts, which takes this long. */
  private static final double NOISE_MICROS = 1_000;

  /** Next to a rival a queue of more than so many times the one wanted is the rival's. */
  private static final double HIGH_WITH_RIVAL = 1.5;

  /** ... and while it is less than so many times the one wanted, no rival's. */
  private static final double QUIET = 1.25;

  /** Growth per round trip begins with 1/8 once the queue was empty for one, and doubles. */
  private static final double BOOST_START = 1.0 / 16;

  /** ... but above half the rate that the path is known to carry, no faster than this. */
  private static final double BOOST_NEAR_RATE = 0.25;

  private static final double BOOST_AT_RATE = 0.1;

  private static final double RAMP_PACING = 2;
  private static final double PACING = 1.1;

  /** At the floor, next to a rival, one packet in this time: enough to see it go. */
  private static final double FLOOR_INTERVAL_MICROS = 100_000;

  /** A sample of minutes (a host that slept) must not stop the pacer for minutes. */
  private static final double MAX_PACING_RTT_MICROS = 1_000_000;

  /** Loss up to this part of what is sent, without a queue, says nothing. */
  private static final double TOLERATED_LOSS = 0.02;

  private static final double LOSS_WITH_QUEUE = 0.7;
  private static final int INITIAL_SEGMENTS = 3;

  /** A smaller window lets the queue empty by itself: sending is not stopped for it. */
  private static final double MIN_DRAINING_SEGMENTS = 4;

  private static final long IDLE_MICROS = 1_000_000;
  private static final long IDLE_RESTART_MICROS = 10_000_000;
  private static final long NEVER = Long.MIN_VALUE;

  private final QueueEstimate queue = new QueueEstimate();
  private final WindowHistory windows = new WindowHistory();
  private final PathRate pathRate = new PathRate();
  private final LossShare losses = new LossShare();
  private final RivalDetector rivals = new RivalDetector();
  private final QuietWatch quiet = new QuietWatch();
  private final QueueDrain drain = new QueueDrain();

  private long maxQueueMicros;
  private int mssBytes;
  private double cwnd;
  private boolean started;
  private boolean ramping = true;
  private double rivalry;
  private double resumeBytes;
  private long emptySinceMicros = NEVER;
  private long lastCutMicros = NEVER;

  private double roundBytes;
  private double roundQueueMicros;
  private double roundCwnd;
  private int roundSamples;

  ScavengerController(LedbatParameters parameters, int mssBytes) {
    this.mssBytes = mssBytes;
    maxQueueMicros = Math.min(MAX_QUEUE_MICROS, parameters.targetDelayMicros());
    cwnd = initialWindowBytes();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String state() {
    if (drain.isDraining()) {
      return "draining";
    }
    if (ramping) {
      return "ramping";
    }
    return rivalry > 0 ? "yielding" : "steering";
  }

  @Override
  public long cwndBytes() {
    return (long) cwnd;
  }

  /** What the law wants at today's rate. */
  @Override
  public long targetDelayMicros() {
    return Math.max(1, (long) wantedQueueMicros(rateOf(cwnd)));
  }

  /** Here a bound: the law never wants more. */
  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    maxQueueMicros =
        Math.min(MAX_QUEUE_MICROS, LedbatParameters.checkTargetDelay(targetDelayMicros));
  }

  @Override
  public void setMssBytes(int mssBytes) {
    this.mssBytes = mssBytes;
    if (!started) {
      cwnd = initialWindowBytes();
    }
    cwnd = Math.max(cwnd, mssBytes);
  }

  @Override
  public void onRttSample(long rttMicros, long nowMicros) {
    queue.onRtt(rttMicros, nowMicros);
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    queue.onDelay(oneWayDelayMicros, nowMicros);
  }

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    losses.onAck(ackedBytes, mssBytes, nowMicros);
    if (!queue.hasRtt()) {
      return; // Only packets that were sent twice came through so far.
    }
    pathRate.onAck(ackedBytes, mssBytes, smoothedRttMicros, isFree(), nowMicros);
    if (carriesMuch()) {
      rivals.onMuchLeft(pathRate.latestBytesPerSecond(), pathRate.latestSinceMicros(), nowMicros);
    }
    rivalry = rivals.rivalry(nowMicros);
    double sentBy = windows.at(nowMicros - queue.latestRttMicros(), cwnd);
    windows.note(cwnd, queue.pathRttMicros(), nowMicros);
    watchEmptiness(nowMicros);
    countRound(ackedBytes, nowMicros);
    if (!drains(nowMicros)) {
      boolean usesWindow = 2 * flightSizeBytes >= cwndBytes();
      steer(ackedBytes, sentBy, usesWindow, nowMicros);
    }
  }

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    ramping = false;
    cwnd = Math.max((double) cwndBytes, mssBytes);
    drain.onUpToSpeed(nowMicros);
  }

  // ---- the law

  /** The queue that a connection wants that sends at this rate. */
  private double wantedQueueMicros(double bytesPerSecond) {
    return Math.min((double) maxQueueMicros, trust() * lawMicros(bytesPerSecond)) + packetMicros();
  }

  /** The part of the law's queue that is wanted. */
  private double trust() {
    return 1 - rivalry * (1 - RIVAL_FACTOR);
  }

  private static double lawMicros(double bytesPerSecond) {
    return REFERENCE_QUEUE_MICROS
        * Math.sqrt(REFERENCE_BYTES_PER_SECOND / Math.max(1, bytesPerSecond));
  }

  /** The queue that this connection makes when it has the link for itself. */
  private double aloneQueueMicros() {
    return lawMicros(pathRate.maxBytesPerSecond()) + packetMicros();
  }

  private double packetMicros() {
    return packetMicros(pathRate.maxBytesPerSecond());
  }

  private double packetMicros(double bytesPerSecond) {
    return bytesPerSecond == 0 ? 0 : Math.min(MAX_PACKET_MICROS, mssBytes * 1e6 / bytesPerSecond);
  }

  private double rateOf(double windowBytes) {
    return windowBytes * 1e6 / queue.pathRttMicros();
  }

  /** Whether nobody else holds this connection below what the path carries. */
  private boolean isFree() {
    return rivalry == 0 && queue.queueMicros() < 2 * aloneQueueMicros();
  }

  /** Whether this connection carries more of what the path is known to than a rival leaves. */
  private boolean carriesMuch() {
    return pathRate.latestBytesPerSecond() > RIVAL_LEAVES * pathRate.maxBytesPerSecond()
        && queue.queueMicros() < 2 * aloneQueueMicros();
  }

  /** Whether this connection's part of the queue is too small to be seen in it. */
  private boolean sendsLittle() {
    return cwnd <= 2.0 * mssBytes || rateOf(cwnd) < LITTLE * pathRate.maxBytesPerSecond();
  }

  private double emptyMicros() {
    double lawMicros = trust() * lawMicros(pathRate.maxBytesPerSecond());
    double leastMicros = sendsLittle() ? NOISE_MICROS : EMPTY_MICROS;
    return Math.max(leastMicros, EMPTY_PART * lawMicros + EMPTY_PACKETS * packetMicros());
  }

  private void steer(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    double rate = rateOf(sentBy);
    double wantedMicros = wantedQueueMicros(rate);
    double queueMicros = queue.queueMicros();
    // The window that would have made the queue as wanted: bytes in the queue, more or less.
    double goal = sentBy + rate * (wantedMicros - queueMicros) / 1e6;
    if (ramping) {
      if (queueMicros <= EMPTY_MICROS + Math.min(wantedMicros, aloneQueueMicros()) / 2) {
        cwnd += usesWindow ? ackedBytes : 0;
        return;
      }
      ramping = false;
      emptySinceMicros = NEVER;
      cwnd = Math.max(Math.min(cwnd, goal), 2.0 * mssBytes);
      drain.onUpToSpeed(nowMicros);
    }
    double change;
    double boost = boost(rate, nowMicros);
    double rivalsMicros = queueMicros - highWithRivalMicros(wantedMicros);
    if (rivalry > 0 && rivalsMicros > 0) {
      // The law assumes that the queue is of our kind's making; what a rival made does not shrink
      // with our part of it.
      double rivalGoal = sentBy * (1 - 0.5 * Math.min(1, rivalsMicros / wantedMicros));
      change = Math.min(0, Math.min(goal, rivalGoal) - cwnd) / cwnd;
    } else if (goal >= cwnd || boost > 0) {
      change = usesWindow ? Math.max(UP_GAIN * (goal - cwnd) / cwnd, boost) : 0;
    } else {
      change = (goal - cwnd) / cwnd;
    }
    change = Math.max(-1, Math.min(1, change));
    cwnd = Math.max(cwnd + change * ackedBytes, floorBytes());
  }

  /** One packet is nobody's queue: it does not count twice. */
  private double highWithRivalMicros(double wantedMicros) {
    return HIGH_WITH_RIVAL * wantedMicros - packetMicros() + EMPTY_MICROS;
  }

  /** Growth per round trip because nothing waits: the link is free. */
  private double boost(double rate, long nowMicros) {
    if (emptySinceMicros == NEVER) {
      return 0;
    }
    double rounds = (nowMicros - emptySinceMicros) / (double) queue.pathRttMicros();
    if (rounds < 1) {
      return 0;
    }
    double known = pathRate.maxBytesPerSecond();
    double most = 1;
    if (rate > 0.5 * known) {
      most = BOOST_NEAR_RATE;
    }
    if (rate > 0.85 * known) {
      // What goes beyond the rate during the round trip until it shows must not be a long queue.
      double patient = 2 * wantedQueueMicros(rate) / queue.minRttMicros();
      most = Math.min(most, Math.max(rivalry > 0 ? 0 : BOOST_AT_RATE, patient));
    }
    return Math.min(most, BOOST_START * Math.pow(2, Math.min(rounds, 8)));
  }

  private void watchEmptiness(long nowMicros) {
    if (queue.queueMicros() > emptyMicros()) {
      emptySinceMicros = NEVER;
      return;
    }
    if (emptySinceMicros == NEVER) {
      emptySinceMicros = nowMicros;
    }
    if (nowMicros - emptySinceMicros > queue.pathRttMicros()) {
      drain.onEmptySeen(nowMicros);
    }
  }

  private double floorBytes() {
    return (rivalry > 0 ? 1.0 : 2.0) * mssBytes;
  }

  // ---- rounds

  private void countRound(long ackedBytes, long nowMicros) {
    if (roundSamples++ == 0) {
      roundCwnd = cwnd;
    }
    roundBytes += ackedBytes;
    roundQueueMicros += queue.queueMicros();
    if (roundBytes < roundCwnd) {
      return;
    }
    if (ramping || drain.isDraining()) {
      rivals.restart();
      quiet.restart();
    } else {
      double queueMicros = roundQueueMicros / roundSamples;
      watchQuiet(queueMicros, nowMicros);
      rivals.onRound(
          queueMicros,
          cwnd > roundCwnd * 1.001,
          sendsLittle(),
          aloneQueueMicros(),
          packetMicros(),
          nowMicros);
      long longerMicros = rivals.takeLongerPathMicros(nowMicros);
      if (longerMicros > 0) {
        queue.onLongerPath(longerMicros);
        drain.onUpToSpeed(nowMicros);
      }
    }
    double excess = losses.takeRoundExcess();
    if (excess > TOLERATED_LOSS) {
      cwnd = Math.max(floorBytes(), cwnd * (1 - Math.min(0.5, excess)));
      ramping = false;
      emptySinceMicros = NEVER;
    }
    startRound();
  }

  /** A link that became slower takes longer for each packet, which is no queue. */
  private void watchQuiet(double queueMicros, long nowMicros) {
    double rate = pathRate.latestBytesPerSecond();
    double quietMicros = QUIET * (RIVAL_FACTOR * lawMicros(rate) + packetMicros(rate));
    boolean isQuiet = rivalry > 0 && queueMicros < quietMicros;
    boolean steady =
        quiet.onRound(isQuiet, rate, cwnd / mssBytes, queue.pathRttMicros(), nowMicros);
    if (steady && rivals.onQuiet(nowMicros)) {
      pathRate.restartAt(rate);
    }
  }

  private void startRound() {
    roundSamples = 0;
    roundBytes = 0;
    roundQueueMicros = 0;
  }

  // ---- stops that let the queue empty

  /** Whether this connection is stopped to let the queue empty; begins and ends that. */
  private boolean drains(long nowMicros) {
    if (!drain.isDraining()) {
      if (ramping || cwnd < MIN_DRAINING_SEGMENTS * mssBytes || !drain.isDue(nowMicros)) {
        return false;
      }
      resumeBytes = cwnd;
      drain.begin(queue, nowMicros);
    }
    if (!drain.endsNow(queue, nowMicros)) {
      cwnd = 2.0 * mssBytes;
      return true;
    }
    cwnd = Math.max(cwnd, resumeBytes);
    windows.clear();
    pathRate.interrupt();
    rivals.restart();
    startRound();
    return true;
  }

  // ---- losses, timeouts, idleness

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    losses.onLoss(lostBytes);
    // Without a queue the path loses packets, and with one of this connection's own making the law
    // mends it.
    boolean rival = rivals.onLoss((double) queue.queueMicros(), aloneQueueMicros(), nowMicros);
    if (rival && (lastCutMicros == NEVER || nowMicros - lastCutMicros >= smoothedRttMicros)) {
      lastCutMicros = nowMicros;
      ramping = false;
      cwnd = Math.max(floorBytes(), cwnd * LOSS_WITH_QUEUE);
    }
  }

  @Override
  public void onLateLoss(long lostBytes, long nowMicros) {
    losses.onLoss(lostBytes);
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    started = true;
    ramping = false;
    emptySinceMicros = NEVER;
    pathRate.interrupt();
    windows.clear();
    cwnd = mssBytes;
  }

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {
    if (idleMicros < IDLE_MICROS) {
      return; // At the floor every packet goes alone.
    }
    pathRate.interrupt();
    rivals.restart();
    windows.clear();
    startRound();
    emptySinceMicros = NEVER;
    if (idleMicros > IDLE_RESTART_MICROS) {
      cwnd = Math.min(cwnd, initialWindowBytes());
      ramping = true;
    }
  }

  private double initialWindowBytes() {
    return (double) INITIAL_SEGMENTS * mssBytes;
  }

  // ---- what others read

  /** Over the round trip of today's queue: the smoothed one remembers a rival's for long. */
  @Override
  public long pacingRateBytesPerSecond() {
    if (!queue.hasRtt()) {
      return 0;
    }
    double rttMicros =
        Math.max(1.0, Math.min((double) queue.pathRttMicros(), MAX_PACING_RTT_MICROS));
    if (rivalry > 0 && cwnd <= mssBytes) {
      return (long) (mssBytes * 1e6 / Math.max(rttMicros, FLOOR_INTERVAL_MICROS));
    }
    double gain = ramping ? RAMP_PACING : PACING;
    return Math.max(1, (long) (gain * cwnd * 1e6 / rttMicros));
  }

  @Override
  public long currentDelayMicros() {
    return queue.currentDelayMicros();
  }

  @Override
  public long baseDelayMicros() {
    return queue.baseDelayMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return queue.queueMicros();
  }
}

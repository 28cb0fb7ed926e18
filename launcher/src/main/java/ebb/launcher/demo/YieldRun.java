package ebb.launcher.demo;

import ebb.testkit.link.Link;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.LedbatFlow;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;

/**
 * A simulated minute: LEDBAT alone, with a TCP Reno model from 20 s to 40 s, alone again. It owns
 * the simulation and the figures, all of them measured on the simulated link; how they look is
 * {@link YieldView}'s business.
 *
 * <p>The link is one on which RFC 6817 as it is written shows all of this within a minute. It has
 * no slow start and grows by at most one segment a round trip, ever slower as the queue nears
 * TARGET: at 50 Mbit/s and 100 ms it would need most of the minute to fill the link alone.
 */
final class YieldRun {
  static final long SECOND = 1_000_000;
  static final long RATE_BITS_PER_SECOND = 10_000_000;
  static final long BASE_RTT_MICROS = 20_000;
  static final long BUFFER_MICROS = 300_000;
  static final long TARGET_MICROS = 100_000;
  static final long JOIN_MICROS = 20 * SECOND;
  static final long LEAVE_MICROS = 40 * SECOND;
  static final long END_MICROS = 60 * SECOND;

  /** Joining and leaving, when LEDBAT is still giving way or coming back, are shown apart. */
  private static final long SETTLED_MICROS = JOIN_MICROS + 5 * SECOND;

  private static final long ALONE_FROM_MICROS = 5 * SECOND;
  private static final double RECOVERED = 0.9;
  private static final long RECOVERY_WINDOW_MICROS = 500_000;

  /**
   * What the minute came to. Shares are of the bytes that the link carried; rates are of payload
   * that arrived in order.
   *
   * @param aloneUtilisation of the link, 5 to 20 s
   * @param ledbatShare of the link while both are there, 20 to 40 s
   * @param ledbatShareSettled the same without the first 5 s
   * @param tcpBitsPerSecond 20 to 40 s, beside LEDBAT
   * @param tcpAloneBitsPerSecond 20 to 40 s, in a second run without LEDBAT
   * @param recoveryMicros after 40 s, until LEDBAT has 90% of the link over half a second; -1 if
   *     never
   * @param queueAloneMicros median queuing delay, 5 to 20 s
   * @param queueContendedMicros median queuing delay, 20 to 40 s
   * @param queueTcpAloneMicros median queuing delay, 20 to 40 s, in the run without LEDBAT
   */
  record Figures(
      double aloneUtilisation,
      double ledbatShare,
      double ledbatShareSettled,
      double tcpBitsPerSecond,
      double tcpAloneBitsPerSecond,
      long recoveryMicros,
      double queueAloneMicros,
      double queueContendedMicros,
      double queueTcpAloneMicros) {

    /** Share of its rate that TCP loses to LEDBAT's presence. */
    double tcpLoss() {
      return 1 - tcpBitsPerSecond / tcpAloneBitsPerSecond;
    }
  }

  private final long seed;
  private final Scenario scenario;
  private final LedbatFlow ledbat;
  private final TcpModelFlow tcp;
  private final Figures figures;
  private final double wallSeconds;

  private YieldRun(
      long seed,
      Scenario scenario,
      LedbatFlow ledbat,
      TcpModelFlow tcp,
      Figures figures,
      double wallSeconds) {
    this.seed = seed;
    this.scenario = scenario;
    this.ledbat = ledbat;
    this.tcp = tcp;
    this.figures = figures;
    this.wallSeconds = wallSeconds;
  }

  /** Runs the minute, and the same minute without LEDBAT. */
  static YieldRun of(long seed) {
    long startNanos = System.nanoTime();
    Scenario scenario = link(seed);
    LedbatFlow ledbat = scenario.add(LedbatFlowSpec.named("ledbat").withTarget(TARGET_MICROS));
    TcpFlowSpec reno = TcpFlowSpec.reno("reno").during(JOIN_MICROS, LEAVE_MICROS);
    TcpModelFlow tcp = scenario.add(reno);
    scenario.runUntil(END_MICROS);

    Scenario withoutLedbat = link(seed);
    TcpModelFlow tcpAlone = withoutLedbat.add(reno);
    withoutLedbat.runUntil(END_MICROS);
    double wallSeconds = (System.nanoTime() - startNanos) / 1e9;

    Link link = scenario.bottleneck();
    Figures figures =
        new Figures(
            Checks.utilisation(link, ALONE_FROM_MICROS, JOIN_MICROS),
            Checks.share(link, ledbat, JOIN_MICROS, LEAVE_MICROS),
            Checks.share(link, ledbat, SETTLED_MICROS, LEAVE_MICROS),
            tcp.goodput().bitsPerSecond(JOIN_MICROS, LEAVE_MICROS),
            tcpAlone.goodput().bitsPerSecond(JOIN_MICROS, LEAVE_MICROS),
            Checks.recoveryMicros(
                link, ledbat, RECOVERED, RECOVERY_WINDOW_MICROS, LEAVE_MICROS, END_MICROS),
            Checks.queueMicros(link, 50, ALONE_FROM_MICROS, JOIN_MICROS),
            Checks.queueMicros(link, 50, JOIN_MICROS, LEAVE_MICROS),
            Checks.queueMicros(withoutLedbat.bottleneck(), 50, JOIN_MICROS, LEAVE_MICROS));
    return new YieldRun(seed, scenario, ledbat, tcp, figures, wallSeconds);
  }

  private static Scenario link(long seed) {
    return Scenario.onLink(seed, RATE_BITS_PER_SECOND, BASE_RTT_MICROS, BUFFER_MICROS);
  }

  Figures figures() {
    return figures;
  }

  /** Real seconds that both simulations took. */
  double wallSeconds() {
    return wallSeconds;
  }

  long seed() {
    return seed;
  }

  /** SHA-256 of everything that happened on the links: the same for the same seed. */
  String traceDigest() {
    return scenario.sim().trace().digest();
  }

  /** Whether every byte that LEDBAT delivered was the right one. */
  boolean bytesIntact() {
    return ledbat.sink().received() > 0 && ledbat.sink().firstDifference() < 0;
  }

  long ledbatBytes() {
    return ledbat.sink().received();
  }

  /** Rate on the link in Mbit/s over the interval that starts at {@code fromMicros}. */
  double ledbatMegabits(long fromMicros, long lengthMicros) {
    return megabits(ledbat.number(), fromMicros, lengthMicros);
  }

  double tcpMegabits(long fromMicros, long lengthMicros) {
    return megabits(tcp.number(), fromMicros, lengthMicros);
  }

  /** Median queuing delay in ms over the interval; NaN when nothing was sent in it. */
  double queueMillis(long fromMicros, long lengthMicros) {
    return Checks.queueMicros(scenario.bottleneck(), 50, fromMicros, fromMicros + lengthMicros)
        / 1e3;
  }

  private double megabits(int flow, long fromMicros, long lengthMicros) {
    return scenario
            .bottleneck()
            .stats()
            .transmitted(flow)
            .bitsPerSecond(fromMicros, fromMicros + lengthMicros)
        / 1e6;
  }
}

package ebb.launcher.demo;

import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.testkit.link.Link;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.LedbatFlow;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;

/**
 * A simulated download whose sender yields to nobody, on the link of {@link YieldRun}, with a TCP
 * Reno model from 10 s to 25 s: once with a receiver that holds it back, once without. It owns both
 * simulations and their figures; how they look is {@link DownloadView}'s business.
 */
final class DownloadRun {
  static final long SECOND = 1_000_000;
  static final long JOIN_MICROS = 10 * SECOND;
  static final long LEAVE_MICROS = 25 * SECOND;
  static final long END_MICROS = 35 * SECOND;

  /** A sender that takes as much as four TCP connections. */
  static final String SENDER = "dtl:4";

  static final String RECEIVER = "scavenger";

  private static final long ALONE_FROM_MICROS = 3 * SECOND;
  private static final long SETTLED_MICROS = JOIN_MICROS + 5 * SECOND;
  private static final double RECOVERED = 0.9;
  private static final long RECOVERY_WINDOW_MICROS = 500_000;

  /** One of the two downloads. */
  static final class Side {
    private final Scenario scenario;
    private final LedbatFlow download;
    private final TcpModelFlow tcp;

    private Side(long seed, boolean held) {
      scenario =
          Scenario.onLink(
              seed,
              YieldRun.RATE_BITS_PER_SECOND,
              YieldRun.BASE_RTT_MICROS,
              YieldRun.BUFFER_MICROS);
      LedbatConfigBuilder config =
          LedbatFlowSpec.fullSizeConfig().toBuilder().slowStart(true).controller(SENDER);
      if (held) {
        config.receiveController(RECEIVER);
      }
      download = scenario.add(LedbatFlowSpec.named("download").with(config.build()));
      tcp = scenario.add(TcpFlowSpec.reno("reno").during(JOIN_MICROS, LEAVE_MICROS));
      scenario.runUntil(END_MICROS);
    }

    private Link link() {
      return scenario.bottleneck();
    }

    /** Of the link's capacity, before TCP joins. */
    double aloneUtilisation() {
      return Checks.utilisation(link(), ALONE_FROM_MICROS, JOIN_MICROS);
    }

    double queueAloneMicros() {
      return Checks.queueMicros(link(), 50, ALONE_FROM_MICROS, JOIN_MICROS);
    }

    /** The download's, of the bytes that the link carried from 5 s after TCP joined. */
    double shareSettled() {
      return Checks.share(link(), download, SETTLED_MICROS, LEAVE_MICROS);
    }

    double tcpBitsPerSecond() {
      return tcp.goodput().bitsPerSecond(SETTLED_MICROS, LEAVE_MICROS);
    }

    /** After TCP left, until 90% of the link over half a second; -1 if never. */
    long recoveryMicros() {
      return Checks.recoveryMicros(
          link(), download, RECOVERED, RECOVERY_WINDOW_MICROS, LEAVE_MICROS, END_MICROS);
    }

    /** Mbit/s on the link in the interval that starts at {@code fromMicros}. */
    double megabits(long fromMicros, long lengthMicros) {
      return link()
              .stats()
              .transmitted(download.number())
              .bitsPerSecond(fromMicros, fromMicros + lengthMicros)
          / 1e6;
    }

    boolean bytesIntact() {
      return download.sink().received() > 0 && download.sink().firstDifference() < 0;
    }
  }

  private final Side held;
  private final Side free;

  private DownloadRun(Side held, Side free) {
    this.held = held;
    this.free = free;
  }

  static DownloadRun of(long seed) {
    return new DownloadRun(new Side(seed, true), new Side(seed, false));
  }

  /** With a receiver that holds it back. */
  Side held() {
    return held;
  }

  /** With one that leaves it to the sender. */
  Side free() {
    return free;
  }

  /** Whether every byte that was delivered was the right one. */
  boolean bytesIntact() {
    return held.bytesIntact() && free.bytesIntact();
  }
}

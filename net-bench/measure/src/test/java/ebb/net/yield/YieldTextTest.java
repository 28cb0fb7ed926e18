package ebb.net.yield;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The line while it runs. */
class YieldTextTest {
  private static final YieldPlan PLAN =
      new YieldPlan(
          Yielder.LEDBAT_SENDER,
          "scavenger",
          "cubic",
          YieldPlan.First.LEDBAT,
          1_000_000,
          1_000_000,
          0,
          1_000_000,
          1_000_000);

  @Test
  void onATerminalItHasBothRatesAsPlotsTheQueueAndTheLimitIn80Columns() {
    YieldTrace trace = new YieldTrace();
    for (int second = 0; second <= 4; second++) {
      trace.ledbat.arrived(second * 1_000_000L, Math.min(second, 2) * 2_300_000L);
      trace.tcp.arrived(second * 1_000_000L, Math.max(0, second - 2) * 2_300_000L);
    }
    trace.ledbat.sample(
        new YieldTrace.Sample(
            4_000_000, 0, Map.of(LedbatColumns.QUEUING_DELAY, 182_000L, Column.CWND, 105_000L)));
    assertThat(YieldText.plotted(PLAN, trace, "LEDBAT after TCP", 4_000_000))
        .isEqualTo(
            "LEDBAT after TCP  LEDBAT \u2588\u2588\u2581\u2581 0 bit/s"
                + "  TCP \u2581\u2581\u2588\u2588 18.4 Mbit/s  queue 182 ms");
    trace.ledbat.limit = "cwnd 100%";
    assertThat(YieldText.plotted(PLAN, trace, "both", 4_000_000))
        .endsWith("  queue 182 ms  limit cwnd 100%");
    assertThat(YieldText.progress(PLAN, trace, "both", 4_000_000, 0))
        .isEqualTo(
            "  4.0 s  both                 LEDBAT     0 bit/s  TCP 18.4 Mbit/s"
                + "  queue 182 ms  window 105 kB");
  }

  @Test
  void aShareThatIsOnlyTheJoiningIsToldAsSuch() {
    YieldTrace trace = new YieldTrace();
    for (int second = 0; second <= 10; second++) {
      trace.ledbat.arrived(second * 1_000_000L, Math.min(second, 1) * 2_300_000L);
      trace.tcp.arrived(second * 1_000_000L, Math.max(0, second - 1) * 2_300_000L);
    }
    trace.phase(new Phase(Phase.Kind.CONTENDED, 0, 10_000_000));
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    YieldOutcome outcome = new YieldOutcome(PLAN, server, trace, 0, "cubic", 0, null);
    String told = "the settled share keeps the bound";
    assertThat(String.join("\n", outcome.lines(new Thresholds(0.05, 1, 1e9, 1e9)))).contains(told);
    assertThat(String.join("\n", outcome.lines(new Thresholds(0.2, 1, 1e9, 1e9))))
        .doesNotContain(told);
    assertThat(String.join("\n", outcome.lines(new Thresholds(-1, 1, 1e9, 1e9))))
        .doesNotContain(told);
  }
}

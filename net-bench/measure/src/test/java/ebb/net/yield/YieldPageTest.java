package ebb.net.yield;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LimitTimes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class YieldPageTest {
  private static final Thresholds THRESHOLDS = new Thresholds(0.05, 0.06, 2e6, 30_000);

  private static String page(long... targets) {
    YieldTrace trace = new YieldTrace();
    long at = 0;
    trace.arrived(at, 0, 0);
    for (long target : targets) {
      at += 100_000;
      trace.arrived(at, at, at);
      trace.ledbat(
          0,
          new ConnectionStats(
              at,
              new ConnectionStats.Bytes(0, 0, 0, 0, 0),
              new ConnectionStats.Packets(0, 0, 0, 0, 0, 0),
              new ConnectionStats.Window(1, 0, 0, 1),
              new ConnectionStats.Delays(1, 1, 5_000, 9, target),
              LimitTimes.NONE));
    }
    trace.phase(new Phase(Phase.Kind.ALONE, 0, at));
    YieldPlan plan =
        new YieldPlan(
            "ledbat",
            "cubic",
            YieldPlan.First.LEDBAT,
            1_000_000,
            1_000_000,
            0,
            1_000_000,
            1_000_000);
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    YieldOutcome outcome = new YieldOutcome(plan, server, trace, 0, "cubic", 0, null);
    return outcome.page(THRESHOLDS).toHtml();
  }

  @Test
  void aTargetThatStaysIsOneDashedLine() {
    assertThat(page(60_000, 60_000, 60_000))
        .containsOnlyOnce(">TARGET 60.0 ms<")
        .doesNotContain("<title>TARGET</title>");
  }

  @Test
  void aTargetThatMovesIsALineOfItsOwn() {
    assertThat(page(60_000, 30_000, 5_000))
        .containsOnlyOnce("<title>TARGET</title>")
        .doesNotContain(">TARGET 60.0 ms<");
  }
}

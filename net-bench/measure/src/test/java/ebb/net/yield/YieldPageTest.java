package ebb.net.yield;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YieldPageTest {
  private static final Thresholds THRESHOLDS = new Thresholds(0.05, 0.06, 2e6, 30_000);

  private static String page(long... targets) {
    return outcome(Yielder.LEDBAT_SENDER, targets).page(THRESHOLDS).toHtml();
  }

  private static YieldOutcome outcome(Yielder yielder, long... targets) {
    YieldTrace trace = new YieldTrace();
    long at = 0;
    trace.ledbat.arrived(at, 0);
    for (long target : targets) {
      at += 100_000;
      trace.ledbat.arrived(at, at);
      trace.ledbat.sample(
          new YieldTrace.Sample(
              at,
              0,
              Map.of(
                  Column.RTT,
                  1L,
                  LedbatColumns.QUEUING_DELAY,
                  5_000L,
                  LedbatColumns.BASE_DELAY,
                  9L,
                  LedbatColumns.TARGET,
                  target)));
    }
    trace.phase(new Phase(Phase.Kind.ALONE, 0, at));
    YieldPlan plan =
        new YieldPlan(
                Yielder.LEDBAT_SENDER,
                "ledbat",
                "cubic",
                YieldPlan.First.LEDBAT,
                1_000_000,
                1_000_000,
                0,
                1_000_000,
                1_000_000)
            .by(yielder);
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    return new YieldOutcome(plan, server, trace, 0, "cubic", 0, null);
  }

  @Test
  void tcpThatItsReceiverHoldsBackIsNotCalledLedbat() {
    YieldOutcome tcp = outcome(Yielder.TCP_RECEIVER, 60_000);
    assertThat(tcp.page(THRESHOLDS).toHtml())
        .doesNotContain("LEDBAT")
        .contains("arrived at this end", "background alone");
    assertThat(String.join("\n", tcp.lines(THRESHOLDS)))
        .doesNotContain("LEDBAT")
        .contains("median queue of background alone");
    assertThat(tcp.lines(THRESHOLDS)).allMatch(line -> line.length() <= 100);
  }

  @Test
  void theReceiverOfLedbatIsNamedWithItsController() {
    assertThat(outcome(Yielder.LEDBAT_RECEIVER, 60_000).lines(THRESHOLDS))
        .first()
        .asString()
        .contains("LEDBAT whose receiver yields (ledbat)", "LEDBAT first");
  }

  @Test
  void aTargetThatStaysIsOneDashedLine() {
    assertThat(page(60_000, 60_000, 60_000))
        .containsOnlyOnce("\"label\":\"TARGET 60.0 ms\"")
        .doesNotContain("\"name\":\"TARGET\"");
  }

  @Test
  void aTargetThatMovesIsALineOfItsOwn() {
    assertThat(page(60_000, 30_000, 5_000))
        .containsOnlyOnce("\"name\":\"TARGET\"")
        .doesNotContain("\"label\":\"TARGET 60.0 ms\"");
  }

  @Test
  void aRunThatGoesOnHasNoVerdict() {
    assertThat(outcome(Yielder.LEDBAT_SENDER, 60_000).running().toParts())
        .contains("It goes on: LEDBAT (ledbat) and TCP (cubic)", "The run over time", "Phases")
        .doesNotContain("It yields", "Incomplete", "class=\"figure");
  }
}

package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.ReceiveLimit;
import ebb.testkit.host.HostClock;
import ebb.testkit.link.CodelSpec;
import ebb.testkit.link.Link;
import ebb.testkit.link.LinkSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A receiver that yields, with senders that do not: what docs/receiver-driven.md promises. RFC
 * 9840, abstract: "a set of mechanisms that enable the execution of a less-than-best-effort
 * congestion control algorithm for TCP at the receiver end."
 */
class ReceiverDrivenCasesTest {
  private static final long SECOND = 1_000_000;
  private static final long MBIT = 1_000_000;

  private record Net(long rateBitsPerSecond, long rttMicros, long bufferMicros) {
    Scenario scenario() {
      return Scenario.onLink(1, rateBitsPerSecond, rttMicros, bufferMicros)
          .withSendJitter(1_500 * 8 * SECOND / rateBitsPerSecond);
    }
  }

  private static final List<Net> NETS =
      List.of(
          new Net(5 * MBIT, 10_000, 50_000),
          new Net(5 * MBIT, 150_000, 300_000),
          new Net(20 * MBIT, 40_000, 50_000),
          new Net(20 * MBIT, 40_000, 200_000),
          new Net(100 * MBIT, 10_000, 50_000),
          new Net(100 * MBIT, 150_000, 300_000));

  private static final List<ControllerFactory> SENDERS =
      List.of(FixedWindow.FACTORY, CongestionControllers.byName("dtl:4"));

  private static LedbatFlowSpec spec(String name, ControllerFactory sender, String receiver) {
    LedbatConfigBuilder config = LedbatFlowSpec.fullSizeConfig().toBuilder().slowStart(true);
    if (sender == FixedWindow.FACTORY) {
      config.sendBufferBytes(32 << 20);
    }
    return LedbatFlowSpec.named(name)
        .with(config.controller(sender).receiveController(receiver).build());
  }

  private static LedbatFlowSpec controlled(ControllerFactory sender) {
    return spec("controlled", sender, "scavenger");
  }

  private static ConnectionStats.Incoming incoming(LedbatFlow flow) {
    return Objects.requireNonNull(flow.receiverStats()).incoming();
  }

  @Test
  void aloneItFillsTheLinkWithLittleQueueWhateverTheSenderDoes() {
    for (ControllerFactory sender : SENDERS) {
      for (Net net : NETS.subList(0, 4)) {
        assertFillsTheLinkAlone(net, sender);
      }
    }
    assertFillsTheLinkAlone(NETS.get(5), SENDERS.get(0)); // The fastest and longest.
  }

  @Test
  @Tag("long")
  void aloneItFillsEveryLink() {
    for (ControllerFactory sender : SENDERS) {
      for (Net net : NETS) {
        assertFillsTheLinkAlone(net, sender);
      }
    }
  }

  private static void assertFillsTheLinkAlone(Net net, ControllerFactory sender) {
    Scenario scenario = net.scenario();
    LedbatFlow flow = scenario.add(controlled(sender));
    scenario.runUntil(30 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 10 * SECOND, 30 * SECOND))
        .as("utilisation, %s of %s", sender, net)
        .isGreaterThanOrEqualTo(0.95);
    assertThat(Checks.queueMicros(link, 50, 10 * SECOND, 30 * SECOND))
        .as("median queue, %s of %s", sender, net)
        .isLessThanOrEqualTo(15_000);
    assertThat(incoming(flow).limit()).isEqualTo(ReceiveLimit.WINDOW);
  }

  @Test
  void withoutItTheSameSenderFillsTheBuffer() {
    Scenario scenario = new Net(20 * MBIT, 40_000, 200_000).scenario();
    LedbatConfig config = controlled(FixedWindow.FACTORY).config();
    ControllerFactory none = null;
    scenario.add(
        LedbatFlowSpec.named("as it is").with(config.toBuilder().receiveController(none).build()));
    scenario.runUntil(30 * SECOND);
    assertThat(Checks.queueMicros(scenario.bottleneck(), 50, 10 * SECOND, 30 * SECOND))
        .isGreaterThan(150_000);
  }

  @Test
  void behindCoDelItUsesTheLink() {
    for (ControllerFactory sender : SENDERS) {
      LinkSpec forward =
          LinkSpec.of(20 * MBIT, 20_000, LinkSpec.bytesIn(300_000, 20 * MBIT))
              .withQueue(CodelSpec.DEFAULTS);
      Scenario scenario = new Scenario(1, forward, LinkSpec.of(20 * MBIT, 20_000, Long.MAX_VALUE));
      scenario.add(controlled(sender));
      scenario.runUntil(30 * SECOND);
      assertThat(Checks.utilisation(scenario.bottleneck(), 10 * SECOND, 30 * SECOND))
          .as("%s", sender)
          .isGreaterThanOrEqualTo(0.9);
    }
  }

  @Test
  void itLeavesTheLinkToATcpFlowAndTakesItBack() {
    for (Function<String, TcpFlowSpec> tcp :
        List.<Function<String, TcpFlowSpec>>of(TcpFlowSpec::cubic, TcpFlowSpec::reno)) {
      assertGivesWay(NETS.get(3), SENDERS.get(0), tcp);
    }
  }

  @Test
  @Tag("long")
  void itLeavesEveryLinkToATcpFlowAndTakesItBack() {
    for (Net net : NETS) {
      for (ControllerFactory sender : SENDERS) {
        assertGivesWay(net, sender, TcpFlowSpec::cubic);
      }
    }
  }

  private static void assertGivesWay(
      Net net, ControllerFactory sender, Function<String, TcpFlowSpec> tcp) {
    for (boolean first : new boolean[] {true, false}) {
      Scenario scenario = net.scenario();
      long joins = first ? 10 * SECOND : 0;
      long leaves = 50 * SECOND;
      LedbatFlow flow = scenario.add(controlled(sender).startingAt(first ? 0 : 10 * SECOND));
      scenario.add(tcp.apply("tcp").during(joins, leaves));
      scenario.runUntil(62 * SECOND);
      Link link = scenario.bottleneck();
      // Two packets in a round trip of 60 ms are 8% of 5 Mbit/s; first it learns what alone is.
      double most = first || net.rttMicros >= net.bufferMicros / 2 ? 0.05 : 0.1;
      assertThat(Checks.useOfLink(link, flow, 15 * SECOND, leaves))
          .as("beside TCP, first %b, %s of %s", first, sender, net)
          .isLessThanOrEqualTo(most);
      assertThat(Checks.utilisation(link, 25 * SECOND, leaves))
          .as("with TCP, %s of %s", sender, net)
          .isGreaterThanOrEqualTo(0.95);
      if (first && sender == FixedWindow.FACTORY) {
        // Who came second does not know what the path carries; others' windows grow as they do.
        assertThat(Checks.recoveryMicros(link, flow, 0.9, 500_000, leaves, 62 * SECOND))
            .as("recovery, %s of %s", sender, net)
            .isBetween(0L, Math.max(3 * SECOND, 40 * net.rttMicros));
      }
    }
  }

  @Test
  void everyControllerKeepsItsTarget() {
    Net net = new Net(20 * MBIT, 40_000, 200_000);
    for (String controller : List.of("ledbat", "ledbat++", "dtl:0")) {
      Scenario scenario = net.scenario();
      LedbatFlow flow = scenario.add(spec(controller, FixedWindow.FACTORY, controller));
      scenario.runUntil(30 * SECOND);
      Link link = scenario.bottleneck();
      assertThat(Checks.utilisation(link, 10 * SECOND, 30 * SECOND))
          .as(controller)
          .isGreaterThanOrEqualTo(0.92); // LEDBAT++'s slowdowns cost up to a tenth.
      assertThat(Checks.queueMicros(link, 90, 10 * SECOND, 30 * SECOND))
          .as(controller)
          .isBetween(10_000.0, incoming(flow).targetMicros() + 5_000.0);
    }
  }

  @Test
  void bothEndsMayControlAtOnceWithoutOscillation() {
    Net net = new Net(20 * MBIT, 40_000, 200_000);
    for (String sender : List.of("scavenger", "ledbat", "ledbat++")) {
      for (String receiver : List.of("scavenger", "ledbat", "ledbat++")) {
        Scenario scenario = net.scenario();
        scenario.add(spec("both", CongestionControllers.byName(sender), receiver));
        List<Double> seconds = new ArrayList<>();
        scenario.runUntil(40 * SECOND);
        Link link = scenario.bottleneck();
        for (long at = 10 * SECOND; at < 40 * SECOND; at += SECOND) {
          seconds.add(Checks.utilisation(link, at, at + SECOND));
        }
        String pair = sender + " to " + receiver;
        // Each LEDBAT++ may give a tenth to its slowdowns.
        boolean slowTwice = sender.equals("ledbat++") && receiver.equals("ledbat++");
        assertThat(Checks.utilisation(link, 10 * SECOND, 40 * SECOND))
            .as(pair)
            .isGreaterThanOrEqualTo(slowTwice ? 0.8 : 0.9);
        // Slowdowns are a second of LEDBAT++'s own doing; an oscillation would have many of them.
        assertThat(seconds.stream().filter(used -> used < 0.8).count())
            .as(pair + " " + seconds)
            .isLessThanOrEqualTo(6);
      }
    }
  }

  @Test
  void twoShareTheLink() {
    Scenario scenario = new Net(20 * MBIT, 40_000, 200_000).scenario();
    LedbatFlow first = scenario.add(spec("first", FixedWindow.FACTORY, "scavenger"));
    LedbatFlow second =
        scenario.add(spec("second", FixedWindow.FACTORY, "scavenger").startingAt(10 * SECOND));
    scenario.runUntil(50 * SECOND);
    assertThat(
            Checks.jainIndex(
                scenario.bottleneck(), List.of(first, second), 30 * SECOND, 50 * SECOND))
        .isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void aDriftingClockNeitherStarvesItNorLeavesAQueue() {
    assertSteadyWithADriftingClockFor(80 * SECOND);
  }

  @Test
  @Tag("long")
  void norDoesOneThatDriftsForFiveMinutes() {
    assertSteadyWithADriftingClockFor(300 * SECOND);
  }

  private static void assertSteadyWithADriftingClockFor(long micros) {
    for (long ppm : new long[] {-200, 200}) {
      Scenario scenario = new Net(20 * MBIT, 40_000, 200_000).scenario();
      scenario.add(
          controlled(FixedWindow.FACTORY).withClocks(HostClock.EXACT, new HostClock(0, ppm)));
      scenario.runUntil(micros);
      Link link = scenario.bottleneck();
      assertThat(Checks.utilisation(link, 20 * SECOND, micros)).isGreaterThanOrEqualTo(0.95);
      assertThat(Checks.queueMicros(link, 50, 20 * SECOND, micros)).isLessThanOrEqualTo(15_000);
    }
  }

  @Test
  void theWindowDoesNotGrowBeyondWhatALimitedSenderUses() {
    Scenario scenario = new Net(20 * MBIT, 40_000, 200_000).scenario();
    LedbatFlowSpec spec = controlled(FixedWindow.FACTORY);
    LedbatFlow flow =
        scenario.add(spec.with(spec.config().toBuilder().maxRateBytesPerSecond(250_000).build()));
    scenario.runUntil(30 * SECOND);
    // 2 Mbit/s and 41 ms hold 10 KB; the start may have gone to twice of that, and a few packets.
    assertThat(incoming(flow).windowBytes()).isBetween(10_000L, 40_000L);
    assertThat(incoming(flow).limit()).isEqualTo(ReceiveLimit.SENDER);
  }

  @Test
  void aBoundOnTheRateIsKeptWithinThreePercent() {
    assertBoundIsKept(100_000);
    assertBoundIsKept(1_000_000);
  }

  @Test
  @Tag("long")
  void soIsAHighOne() {
    assertBoundIsKept(5_000_000);
  }

  private static void assertBoundIsKept(long rate) {
    for (Net net :
        List.of(new Net(100 * MBIT, 1_000, 50_000), new Net(100 * MBIT, 100_000, 200_000))) {
      for (String controller : new String[] {"", "scavenger"}) {
        Scenario scenario = net.scenario();
        LedbatFlowSpec spec = spec("bounded", FixedWindow.FACTORY, "scavenger");
        LedbatConfigBuilder config = spec.config().toBuilder().receiveMaxRateBytesPerSecond(rate);
        if (controller.isEmpty()) {
          ControllerFactory none = null;
          config.receiveController(none);
        }
        LedbatFlow flow = scenario.add(spec.with(config.build()));
        scenario.runUntil(30 * SECOND);
        assertThat(flow.goodput().sum(10 * SECOND, 30 * SECOND) / 20)
            .as("%s bytes a second of %s, %s", rate, net, controller)
            .isBetween(0.97 * rate, 1.03 * rate);
        assertThat(incoming(flow).limit()).isEqualTo(ReceiveLimit.RATE);
      }
    }
  }
}

package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.Link;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The real engine with LEDBAT++ against figures of an independent packet-level simulation of the
 * draft: 10 Mbit/s, base round trip 50 ms unless said, IP packets of 1,500 bytes, drop-tail.
 */
class LedbatPlusPlusCasesTest {
  private static final long SECOND = 1_000_000;
  private static final long RATE = 10_000_000;
  private static final long BASE_RTT_MICROS = 50_000;

  /** One packet's time on the link: see {@link Scenario#withSendJitter}. */
  private static final long PACKET_MICROS = 1_200;

  private static LedbatFlowSpec spec(String name) {
    return LedbatFlowSpec.named(name).withController("ledbat++");
  }

  @Test
  void c10_aloneItFillsTheLinkButForItsSlowdowns() {
    long[] rttMicros = {20_000, 50_000, 100_000};
    double[] utilisation = {0.965, 0.94, 0.93};
    for (int i = 0; i < rttMicros.length; i++) {
      Scenario scenario = Scenario.onLink(1, RATE, rttMicros[i], 300_000);
      scenario.add(spec("alone"));
      scenario.runUntil(320 * SECOND);
      Link link = scenario.bottleneck();
      assertThat(Checks.utilisation(link, 20 * SECOND, 320 * SECOND))
          .as("utilisation at %d us", rttMicros[i])
          .isCloseTo(utilisation[i], within(0.02));
      assertThat(Checks.queueMicros(link, 50, 20 * SECOND, 320 * SECOND))
          .as("median queue at %d us", rttMicros[i])
          .isCloseTo(60_000, within(3_000.0));
      assertThat(link.stats().droppedTotal()).isZero();
    }
  }

  @Test
  void c11_aNewcomerTakesMoreOnlyUntilTheSlowdownsMakeItEqual() {
    Scenario scenario = Scenario.onLink(1, RATE, BASE_RTT_MICROS, 300_000);
    scenario.add(spec("first"));
    LedbatFlow newcomer = scenario.add(spec("second").startingAt(20 * SECOND));
    scenario.runUntil(300 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.share(link, newcomer, 20 * SECOND, 30 * SECOND))
        .isCloseTo(0.75, within(0.08));
    assertThat(Checks.share(link, newcomer, 100 * SECOND, 300 * SECOND))
        .isCloseTo(0.50, within(0.03));
  }

  @Test
  void c12_inABufferSmallerThanTargetItTakesAThirdFromReno() {
    for (boolean first : new boolean[] {true, false}) {
      assertThat(shareAgainstReno(50_000, first, 3))
          .as("LEDBAT++ first: %b", first)
          .isCloseTo(0.31, within(0.05));
    }
  }

  @Test
  void c12_inLargerBuffersItYieldsToReno() {
    for (boolean first : new boolean[] {true, false}) {
      assertThat(shareAgainstReno(150_000, first, 1))
          .as("150 ms, LEDBAT++ first: %b", first)
          .isLessThanOrEqualTo(0.07);
      assertThat(shareAgainstReno(300_000, first, 1))
          .as("300 ms, LEDBAT++ first: %b", first)
          .isLessThanOrEqualTo(0.03);
    }
  }

  private static double shareAgainstReno(long bufferMicros, boolean first, int runs) {
    double sum = 0;
    for (long seed = 1; seed <= runs; seed++) {
      Scenario scenario =
          Scenario.onLink(seed, RATE, BASE_RTT_MICROS, bufferMicros).withSendJitter(PACKET_MICROS);
      LedbatFlow ledbat = scenario.add(spec("ledbat++").startingAt(first ? 0 : 10 * SECOND));
      scenario.add(TcpFlowSpec.reno("reno").startingAt(first ? 10 * SECOND : 0));
      scenario.runUntil(230 * SECOND);
      sum += Checks.share(scenario.bottleneck(), ledbat, 30 * SECOND, 230 * SECOND);
    }
    return sum / runs;
  }

  @Test
  @Tag("long")
  void c14_theShorterRoundTripHasTheSmallerShare() {
    double sum = 0;
    for (long seed = 1; seed <= 3; seed++) {
      Scenario scenario =
          Scenario.onLink(seed, RATE, 10_000, 300_000).withSendJitter(PACKET_MICROS);
      LedbatFlow near = scenario.add(spec("20 ms").withAccessDelay(5_000));
      scenario.add(spec("80 ms").withAccessDelay(35_000));
      scenario.runUntil(300 * SECOND);
      sum += Checks.share(scenario.bottleneck(), near, 100 * SECOND, 300 * SECOND);
    }
    assertThat(sum / 3).isCloseTo(0.42, within(0.06));
  }
}

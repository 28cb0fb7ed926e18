package ebb.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Policers, shapers and links that serve in bursts or by a trace. */
class TokenBucketTest {
  private static final long SECOND = 1_000_000;

  private record TestPacket(long checksum) implements SimPacket {
    @Override
    public int flow() {
      return 1;
    }

    @Override
    public int ipBytes() {
      return 1_500;
    }

    @Override
    public boolean dontFragment() {
      return true;
    }
  }

  private final Simulation sim = new Simulation(3);
  private final List<Long> arrivals = new ArrayList<>();

  private Link offer(LinkSpec spec, int packets, long everyMicros) {
    Link link = new Link(sim, 0, "test", spec);
    Path<TestPacket> path = new Path<>(List.of(link), packet -> arrivals.add(sim.nowMicros()));
    for (int i = 0; i < packets; i++) {
      long number = i;
      sim.at(i * everyMicros, () -> path.send(new TestPacket(number)));
    }
    return link;
  }

  @Test
  void aPolicerPassesItsBucketAndThenItsRateWithoutDelay() {
    // 24 Mbit/s are offered for 10 s to 6 Mbit/s with 60 kB: 7,500,000 + 60,000 bytes pass.
    LinkSpec spec =
        LinkSpec.of(100_000_000, 1_000, 1_000_000)
            .withBucket(TokenBucketSpec.policer(6_000_000, 60_000));
    Link link = offer(spec, 20_000, 500);
    sim.runUntil(20 * SECOND);
    assertThat(arrivals.size() * 1_500.0).isCloseTo(7_560_000, within(3_000.0));
    assertThat(link.stats().droppedTotal()).isEqualTo(20_000 - arrivals.size());
    assertThat(link.stats().queueDelays().percentile(100, 0, 20 * SECOND)).isZero();
    // The bucket fills by 6 and empties by 24 Mbit/s: the first drop after 60 kB / 18 Mbit/s.
    assertThat(arrivals.get(52) - arrivals.get(0)).isEqualTo(52 * 500);
    assertThat(link.capacityBytes(0, SECOND)).isEqualTo(750_000);
  }

  @Test
  void aPolicerThatIsNotExceededDropsNothing() {
    LinkSpec spec =
        LinkSpec.of(100_000_000, 1_000, 1_000_000)
            .withBucket(TokenBucketSpec.policer(6_000_000, 1_500));
    Link link = offer(spec, 5_000, 2_000); // 6 Mbit/s exactly
    sim.runUntil(20 * SECOND);
    assertThat(link.stats().droppedTotal()).isZero();
  }

  @Test
  void aShaperPassesItsBucketAtTheLinksRateAndHoldsBackTheRest() {
    LinkSpec spec =
        LinkSpec.of(120_000_000, 0, 10_000_000)
            .withBucket(TokenBucketSpec.shaper(12_000_000, 30_000));
    Link link = offer(spec, 1_000, 0);
    sim.runUntil(10 * SECOND);
    assertThat(arrivals).hasSize(1_000);
    assertThat(link.stats().droppedTotal()).isZero();
    // 20 packets of the bucket and 2 that its filling gives meanwhile, at 100 us each.
    assertThat(arrivals.get(19)).isEqualTo(2_000);
    // Then one each 1 ms; all but the bucket are at 12 Mbit/s.
    assertThat(arrivals.get(500) - arrivals.get(499)).isBetween(999L, 1_001L);
    assertThat((double) arrivals.get(999)).isCloseTo(980_000, within(300.0));
  }

  @Test
  void burstsServeWhatWaitsInOneGoAndNoMoreThanTheRate() {
    LinkSpec spec =
        LinkSpec.of(12_000_000, 0, 10_000_000).withService(new ServiceSpec.Bursts(2_000, 8_000));
    Link link = offer(spec, 10_000, 0);
    sim.runUntil(5 * SECOND);
    // 12 Mbit/s are a packet each millisecond.
    assertThat((double) arrivals.size()).isCloseTo(5_000, within(10.0));
    List<Long> moments = arrivals.stream().distinct().toList();
    // 5 ms apart in the mean.
    assertThat((double) moments.size()).isCloseTo(1_000, within(40.0));
    for (int i = 1; i < moments.size(); i++) {
      assertThat(moments.get(i) - moments.get(i - 1)).isBetween(2_000L, 8_000L);
    }
    assertThat(link.utilisation(0, 5 * SECOND)).isCloseTo(1, within(0.005));
  }

  @Test
  void aSinglePacketWaitsForTheNextBurst() {
    LinkSpec spec =
        LinkSpec.of(12_000_000, 0, 10_000_000).withService(new ServiceSpec.Bursts(2_000, 8_000));
    offer(spec, 500, 10_000);
    sim.runUntil(10 * SECOND);
    assertThat(arrivals).hasSize(500);
    double mean = 0;
    for (int i = 0; i < 500; i++) {
      long waited = arrivals.get(i) - i * 10_000L;
      assertThat(waited).isBetween(0L, 8_000L);
      mean += waited / 500.0;
    }
    // Renewal theory: E[T^2] / (2 E[T]) for T uniform on 2..8 ms is 2.8 ms.
    assertThat(mean).isCloseTo(2_800, within(250.0));
  }

  @Test
  void aDeliveryTraceIsFollowedMomentByMomentAndBeginsAgainIfSaid() {
    long[] moments = {1_000, 1_000, 5_000, 10_000};
    for (boolean repeats : new boolean[] {true, false}) {
      arrivals.clear();
      Simulation own = new Simulation(1);
      DeliveryTrace trace = new DeliveryTrace(moments, repeats);
      Link link = new Link(own, 0, "traced", LinkSpec.of(1, 0, 1_000_000).withService(trace));
      Path<TestPacket> path = new Path<>(List.of(link), packet -> arrivals.add(own.nowMicros()));
      for (int i = 0; i < 10; i++) {
        path.send(new TestPacket(i));
      }
      own.runUntil(SECOND);
      List<Long> once = List.of(1_000L, 1_000L, 5_000L, 10_000L);
      if (repeats) {
        assertThat(arrivals)
            .startsWith(once.toArray(new Long[0]))
            .containsExactly(
                1_000L, 1_000L, 5_000L, 10_000L, 11_000L, 11_000L, 15_000L, 20_000L, 21_000L,
                21_000L);
      } else {
        assertThat(arrivals).isEqualTo(once);
      }
      assertThat(link.capacityBytes(0, 10_001)).isEqualTo(6_000);
      assertThat(link.capacityBytes(10_001, 20_001)).isEqualTo(repeats ? 6_000 : 0);
    }
  }

  @Test
  void jitterHasItsShapeAndItsBound() {
    double[] means = new double[JitterShape.values().length];
    for (JitterShape shape : JitterShape.values()) {
      var random = new ebb.core.rand.SeededRandom(9);
      double mean = 0;
      int long90 = 0;
      for (int i = 0; i < 100_000; i++) {
        long drawn = shape.drawMicros(random, 10_000);
        assertThat(drawn).isBetween(0L, 10_000L);
        mean += drawn / 1e5;
        long90 += drawn > 9_000 ? 1 : 0;
      }
      means[shape.ordinal()] = mean;
      if (shape == JitterShape.UNIFORM) {
        assertThat(long90).isBetween(9_500, 10_500);
      } else {
        assertThat(long90).isBetween(1, 2_000);
      }
    }
    assertThat(means[JitterShape.UNIFORM.ordinal()]).isCloseTo(5_000, within(50.0));
    assertThat(means[JitterShape.NORMAL.ordinal()]).isCloseTo(5_000, within(50.0));
    // 1/5 - 1 / (e^5 - 1) of the bound.
    assertThat(means[JitterShape.EXPONENTIAL.ordinal()]).isCloseTo(1_932, within(50.0));
    // The mean of Pareto's with exponent 1.5 between 0.02 and 1.02, less 0.02: 0.03177 of it.
    assertThat(means[JitterShape.PARETO.ordinal()]).isCloseTo(318, within(15.0));
  }

  @Test
  void impossibleParametersAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> TokenBucketSpec.policer(999, 9_000));
    assertThatIllegalArgumentException().isThrownBy(() -> TokenBucketSpec.shaper(10_000, 1_499));
    assertThatIllegalArgumentException().isThrownBy(() -> new ServiceSpec.Bursts(3, 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeliveryTrace(new long[] {2, 1}, true))
        .withMessage("the times of a trace must not fall: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeliveryTrace(new long[] {0}, true))
        .withMessage("a trace needs a time above 0");
  }
}

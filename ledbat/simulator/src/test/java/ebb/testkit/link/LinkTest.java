package ebb.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.sim.Schedule;
import ebb.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTest {
  private record TestPacket(int number, int ipBytes, boolean dontFragment) implements SimPacket {
    @Override
    public int flow() {
      return 1;
    }

    @Override
    public long checksum() {
      return number;
    }
  }

  private record Arrival(int number, long atMicros) {}

  private final Simulation sim = new Simulation(3);
  private final List<Arrival> arrivals = new ArrayList<>();
  private int sent;

  private Path<TestPacket> path(LinkSpec spec) {
    link = new Link(sim, 0, "test", spec);
    return new Path<>(
        List.of(link), packet -> arrivals.add(new Arrival(packet.number(), sim.nowMicros())));
  }

  private Link link = new Link(sim, 0, "none", LinkSpec.delayOnly(0));

  private void send(Path<TestPacket> path, int ipBytes) {
    path.send(new TestPacket(sent++, ipBytes, true));
  }

  private void sendEvery(Path<TestPacket> path, int packets, long micros) {
    for (int i = 0; i < packets; i++) {
      sim.at(i * micros, () -> send(path, 1_500));
    }
  }

  private List<Integer> numbers() {
    return arrivals.stream().map(Arrival::number).toList();
  }

  @Test
  void aPacketTakesItsSerialisationAndThePropagationDelay() {
    Path<TestPacket> path = path(LinkSpec.of(10_000_000, 25_000, 100_000));
    send(path, 1_500);
    send(path, 1_500);
    sim.runUntil(1_000_000);
    // 12,000 bits at 10 Mbit/s are 1.2 ms.
    assertThat(arrivals).containsExactly(new Arrival(0, 26_200), new Arrival(1, 27_400));
    assertThat(link.stats().queueDelays().value(0)).isZero();
    assertThat(link.stats().queueDelays().value(1)).isEqualTo(1_200);
  }

  @Test
  void fractionsOfMicrosecondsAddUpOverManyPackets() {
    Path<TestPacket> path = path(LinkSpec.of(700_000_000, 0, Long.MAX_VALUE));
    for (int i = 0; i < 70_000; i++) {
      send(path, 1_500);
    }
    sim.runUntil(10_000_000);
    // 70,000 * 12,000 bits at 700 Mbit/s: 1.2 s; each packet is 17.142857 us.
    assertThat(arrivals.get(69_999).atMicros()).isBetween(1_200_000L - 70, 1_200_001L);
  }

  @Test
  void aFullBufferDropsTheTail() {
    Path<TestPacket> path = path(LinkSpec.of(10_000_000, 0, 4_500));
    for (int i = 0; i < 10; i++) {
      send(path, 1_500);
    }
    sim.runUntil(1_000_000);
    // One is being serialised, three wait.
    assertThat(numbers()).containsExactly(0, 1, 2, 3);
    assertThat(link.stats().droppedTotal()).isEqualTo(6);
    assertThat(link.stats().dropped(1)).isEqualTo(6);
  }

  @Test
  void utilisationCountsWhatTheRateScheduleAllows() {
    Schedule<Long> rate = Schedule.always(10_000_000L).from(1_000_000, 5_000_000L);
    Path<TestPacket> path = path(LinkSpec.of(1, 0, Long.MAX_VALUE).withRate(rate));
    sendEvery(path, 1_000, 2_400);
    sim.runUntil(2_400_000);
    // A packet each 2.4 ms is 5 Mbit/s: half of the first second, all of the second.
    assertThat(link.utilisation(0, 1_000_000)).isCloseTo(0.5, within(0.01));
    assertThat(link.utilisation(1_100_000, 2_000_000)).isCloseTo(1.0, within(0.01));
  }

  @Test
  void rateZeroHoldsTheQueueUntilTheScheduleGoesOn() {
    Schedule<Long> rate = Schedule.always(10_000_000L).during(0, 500_000, 0L);
    Path<TestPacket> path = path(LinkSpec.of(1, 0, 100_000).withRate(rate));
    send(path, 1_500);
    send(path, 1_500);
    sim.runUntil(1_000_000);
    assertThat(arrivals).containsExactly(new Arrival(0, 501_200), new Arrival(1, 502_400));
  }

  @Test
  void randomLossLosesItsShare() {
    Path<TestPacket> path =
        path(LinkSpec.of(LinkSpec.UNLIMITED, 0, 0).withLoss(new LossSpec.Random(0.02)));
    sendEvery(path, 100_000, 10);
    sim.runUntil(2_000_000);
    // Binomial: 2,000 expected, standard deviation 44.
    assertThat(link.stats().lostTotal()).isBetween(1_780L, 2_220L);
    assertThat(arrivals.size() + link.stats().lostTotal()).isEqualTo(100_000);
  }

  @Test
  void burstLossHasItsMeanShareAndItsMeanLength() {
    LossSpec.Burst burst = new LossSpec.Burst(0.01, 0.25, 0, 1);
    assertThat(burst.meanLoss()).isCloseTo(0.01 / 0.26, within(1e-12));
    Path<TestPacket> path = path(LinkSpec.of(LinkSpec.UNLIMITED, 0, 0).withLoss(burst));
    sendEvery(path, 200_000, 10);
    sim.runUntil(3_000_000);
    int bursts = 0;
    int previous = -1;
    for (Arrival arrival : arrivals) {
      bursts += arrival.number() > previous + 1 ? 1 : 0;
      previous = arrival.number();
    }
    double lost = link.stats().lostTotal();
    assertThat(lost / 200_000).isCloseTo(0.0385, within(0.004));
    assertThat(lost / bursts).isCloseTo(4.0, within(0.4));
  }

  @Test
  void periodicLossTakesEveryNth() {
    Path<TestPacket> path =
        path(LinkSpec.of(LinkSpec.UNLIMITED, 0, 0).withLoss(new LossSpec.Periodic(3)));
    sendEvery(path, 9, 10);
    sim.runUntil(1_000);
    assertThat(numbers()).containsExactly(0, 1, 3, 4, 6, 7);
  }

  @Test
  void aCutCableLosesAllForItsTime() {
    Schedule<LossSpec> cut =
        Schedule.always(LossSpec.NONE).during(100, 200, new LossSpec.Random(1));
    Path<TestPacket> path = path(LinkSpec.of(LinkSpec.UNLIMITED, 0, 0).withLoss(cut));
    sendEvery(path, 30, 10);
    sim.runUntil(1_000);
    assertThat(arrivals).hasSize(20);
    assertThat(arrivals).noneMatch(a -> a.atMicros() >= 100 && a.atMicros() < 200);
  }

  @Test
  void jitterSpreadsArrivalsAndKeepsTheirOrder() {
    Path<TestPacket> path = path(LinkSpec.delayOnly(1_000).withJitter(5_000));
    sendEvery(path, 1_000, 100);
    sim.runUntil(1_000_000);
    assertThat(numbers()).isSorted().hasSize(1_000);
    for (Arrival arrival : arrivals) {
      assertThat(arrival.atMicros() - arrival.number() * 100L).isBetween(1_000L, 6_000L);
    }
    assertThat(arrivals.stream().map(a -> a.atMicros() - a.number() * 100L).distinct().count())
        .isGreaterThan(100);
  }

  @Test
  void reorderedPacketsAreOvertakenAndNoneIsLost() {
    Path<TestPacket> path = path(LinkSpec.delayOnly(1_000).withReordering(0.1, 2_000));
    sendEvery(path, 1_000, 100);
    sim.runUntil(1_000_000);
    assertThat(numbers()).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(numbers()).isNotEqualTo(numbers().stream().sorted().toList());
    assertThat(link.stats().reordered()).isBetween(60L, 140L);
  }

  @Test
  void aHeldPacketIsOvertakenByAsManyAsWereAskedFor() {
    Path<TestPacket> path = path(LinkSpec.delayOnly(1_000).withOvertaking(0.02, 3, 100_000));
    sendEvery(path, 1_000, 100);
    sim.runUntil(1_000_000);
    assertThat(numbers()).hasSize(1_000).doesNotHaveDuplicates();
    int late = 0;
    for (int at = 0; at < numbers().size(); at++) {
      int number = numbers().get(at);
      long overtakers = numbers().subList(0, at).stream().filter(before -> before > number).count();
      if (overtakers > 0) {
        late++;
        // One that is held meanwhile overtakes nobody.
        assertThat(overtakers).isBetween(2L, 3L);
      }
    }
    assertThat(late).isBetween(10, 30);
  }

  @Test
  void aHeldPacketThatNobodyOvertakesArrivesInTheEnd() {
    Path<TestPacket> path = path(LinkSpec.delayOnly(1_000).withOvertaking(1, 3, 100_000));
    path.send(new TestPacket(7, 100, true));
    sim.runUntil(100_999);
    assertThat(numbers()).isEmpty();
    sim.runUntil(101_000);
    assertThat(numbers()).containsExactly(7);
  }

  @Test
  void duplicatedPacketsArriveTwice() {
    Path<TestPacket> path = path(LinkSpec.delayOnly(1_000).withDuplication(0.1));
    sendEvery(path, 1_000, 100);
    sim.runUntil(1_000_000);
    assertThat(arrivals).hasSize(1_000 + (int) link.stats().duplicated());
    assertThat(link.stats().duplicated()).isBetween(60L, 140L);
    assertThat(numbers().stream().distinct().count()).isEqualTo(1_000);
  }

  @Test
  void packetsAboveTheMtuAreDroppedOrCutUp() {
    Path<TestPacket> path = path(LinkSpec.of(10_000_000, 0, 100_000).withMtu(1_280));
    path.send(new TestPacket(0, 1_281, true));
    path.send(new TestPacket(1, 1_280, true));
    sim.runUntil(100_000);
    path.send(new TestPacket(2, 1_500, false));
    sim.runUntil(200_000);
    assertThat(link.stats().droppedMtu()).isEqualTo(1);
    // 1,480 bytes of payload are a fragment of 1,256 and one of 224, each with 20 of header.
    assertThat(arrivals)
        .containsExactly(new Arrival(1, 1_024), new Arrival(2, 100_000 + 1_520 * 8 / 10));
  }

  @Test
  void aShorterRouteOvertakesALongerOne() {
    Schedule<Long> delay = Schedule.always(50_000L).from(1_000, 10_000L);
    Path<TestPacket> path = path(LinkSpec.delayOnly(0).withDelay(delay));
    sim.at(990, () -> send(path, 100));
    sim.at(1_010, () -> send(path, 100));
    sim.runUntil(100_000);
    assertThat(arrivals).containsExactly(new Arrival(1, 11_010), new Arrival(0, 50_990));
  }

  @Test
  void linksInARowAddUp() {
    Link first = new Link(sim, 1, "first", LinkSpec.of(12_000_000, 1_000, 10_000));
    Link second = new Link(sim, 2, "second", LinkSpec.of(6_000_000, 2_000, 10_000));
    Path<TestPacket> path =
        new Path<>(
            List.of(first, second), p -> arrivals.add(new Arrival(p.number(), sim.nowMicros())));
    send(path, 1_500);
    sim.runUntil(10_000);
    assertThat(arrivals).containsExactly(new Arrival(0, 1_000 + 1_000 + 2_000 + 2_000));
  }

  @Test
  void rangesAreChecked() {
    assertThatThrownBy(() -> new LossSpec.Random(1.5)).hasMessageContaining("1.5");
    assertThatThrownBy(() -> LinkSpec.of(-1, 0, 0)).hasMessageContaining("-1");
    assertThatThrownBy(() -> LinkSpec.delayOnly(5).withMtu(20)).hasMessageContaining("20");
  }

  @Test
  void percentilesAreNearestRank() {
    TimedSamples samples = new TimedSamples();
    for (int i = 1; i <= 100; i++) {
      samples.add(i, 101 - i);
    }
    assertThat(samples.percentile(50, 0, 1_000)).isEqualTo(50);
    assertThat(samples.percentile(95, 0, 1_000)).isEqualTo(95);
    assertThat(samples.percentile(100, 0, 1_000)).isEqualTo(100);
    assertThat(samples.percentile(50, 100, 101)).isEqualTo(1);
    assertThat(samples.percentile(50, 500, 600)).isNaN();
  }

  @Test
  void byteSeriesSumsAnyIntervalAndFindsGaps() {
    ByteSeries series = new ByteSeries();
    series.add(5_000, 100);
    series.add(25_000, 300);
    series.add(9_999_999, 1);
    assertThat(series.sum(0, 20_000)).isEqualTo(100);
    assertThat(series.sum(0, 25_000)).isEqualTo(250);
    assertThat(series.sum(0, 100_000_000)).isEqualTo(401);
    assertThat(series.bitsPerSecond(0, 1_000_000)).isEqualTo(3_200);
    // From 30 ms to 9.99 s.
    assertThat(series.longestGapMicros(0, 10_000_000)).isEqualTo(9_960_000);
    assertThat(series.longestGapMicros(0, 20_000_000)).isEqualTo(10_000_000);
  }
}

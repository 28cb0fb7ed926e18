package ebb.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ebb.core.rand.SeededRandom;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PIE, RED and FQ-CoDel against the arithmetic of their documents, packet by packet. */
class QueuesTest {
  private static final long SECOND = 1_000_000;

  private record TestPacket(int flow, long checksum) implements SimPacket {
    @Override
    public int ipBytes() {
      return 1_500;
    }

    @Override
    public boolean dontFragment() {
      return true;
    }
  }

  private final List<Waiting<?>> dropped = new ArrayList<>();
  private long sent;

  private PacketQueue.Surroundings around(long bufferBytes) {
    return new PacketQueue.Surroundings(
        bufferBytes, 1_500, 1_200, new SeededRandom(5), dropped::add);
  }

  private Waiting<TestPacket> packet(int flow, long nowMicros) {
    TestPacket packet = new TestPacket(flow, sent++);
    return new Waiting<>(packet, new Path<>(List.of(), unused -> {}), 0, 1_500, nowMicros);
  }

  // ---- PIE

  /** One packet comes and one goes each millisecond, from 0 on, once {@code waiting} are there. */
  private void stand(PieQueue queue, int waiting, long fromMillis, long toMillis) {
    for (long at = fromMillis; at < toMillis; at++) {
      if (at >= waiting) {
        queue.poll(at * 1_000);
      }
      queue.offer(packet(1, at * 1_000), false, at * 1_000);
    }
  }

  @Test
  void piesProbabilityMovesByItsTwoTerms() {
    // It becomes active at a third of the buffer, with the 34th packet, at 33 ms. Packets wait
    // 35 ms: 20 more than QDELAY_REF. RFC 8033, 4.2, every 15 ms, in steps that grow with p.
    PieQueue queue = new PieQueue(PieSpec.DEFAULTS, around(153_000));
    stand(queue, 35, 0, 48);
    assertThat(queue.dropProbability()).isZero();
    stand(queue, 35, 48, 49);
    double expected = (0.125 * 0.020 + 1.25 * 0.035) / 2_048;
    assertThat(queue.dropProbability()).isCloseTo(expected, within(1e-12));
    // Now that the delay stays, the first term alone.
    double[] damping = {128, 128, 128, 128, 32, 32};
    for (int i = 0; i < damping.length; i++) {
      stand(queue, 35, 49 + i * 15L, 64 + i * 15L);
      expected += 0.125 * 0.020 / damping[i];
      assertThat(queue.dropProbability()).as("step %d", i).isCloseTo(expected, within(1e-12));
    }
    assertThat(dropped).isEmpty();
  }

  @Test
  void pieForgetsWhenTheQueueIsEmpty() {
    PieQueue queue = new PieQueue(PieSpec.DEFAULTS, around(150_000));
    // 60 wait, and however many are dropped, two come for one that goes.
    for (long at = 0; at < 3_000; at++) {
      queue.offer(packet(1, at * 1_000), false, at * 1_000);
      queue.offer(packet(1, at * 1_000), false, at * 1_000);
      if (queue.bytes() > 90_000) {
        queue.poll(at * 1_000);
      }
    }
    assertThat(queue.dropProbability()).isGreaterThan(0.05);
    while (queue.poll(3 * SECOND) != null) {
      // It is emptied.
    }
    queue.offer(packet(1, 60 * SECOND), true, 60 * SECOND);
    assertThat(queue.dropProbability()).isZero();
  }

  @Test
  void pieBringsAStandingQueueToItsReference() {
    // RFC 8033, 4: the delay settles around QDELAY_REF, whatever the buffer.
    Scenario scenario = longFlows(PieSpec.DEFAULTS);
    Link link = scenario.bottleneck();
    assertThat(Checks.queueMicros(link, 50, 20 * SECOND, 120 * SECOND))
        .isBetween(9_000.0, 21_000.0);
    assertThat(Checks.utilisation(link, 20 * SECOND, 120 * SECOND)).isGreaterThan(0.95);
  }

  private static Scenario longFlows(QueueSpec queue) {
    Scenario scenario =
        new Scenario(
            1,
            LinkSpec.of(10_000_000, 25_000, LinkSpec.bytesIn(300_000, 10_000_000)).withQueue(queue),
            LinkSpec.of(10_000_000, 25_000, Long.MAX_VALUE));
    for (int flow = 0; flow < 4; flow++) {
      scenario.add(TcpFlowSpec.reno("reno " + flow).startingAt(flow * SECOND));
    }
    scenario.runUntil(120 * SECOND);
    return scenario;
  }

  // ---- RED

  @Test
  void redsProbabilityIsThePapersGentlyBeyondTheUpperThreshold() {
    RedQueue queue = new RedQueue(new RedSpec(30_000, 90_000, 0.1, 0.002), around(300_000));
    assertThat(queue.probability(29_999)).isZero();
    assertThat(queue.probability(60_000)).isCloseTo(0.05, within(1e-9));
    assertThat(queue.probability(90_000)).isCloseTo(0.1, within(1e-9));
    assertThat(queue.probability(135_000)).isCloseTo(0.55, within(1e-9));
    assertThat(queue.probability(180_000)).isEqualTo(1);
  }

  @Test
  void redSpreadsItsDropsEvenlyOverAStandingQueue() {
    // A weight of 1 makes the mean the length: 60 kB stand, so p_b is 0.05. Spread, the gaps are
    // uniform between 1 and 1 / p_b (the paper, section 7): 20 at most and 10.5 in the mean.
    RedQueue queue = new RedQueue(new RedSpec(30_000, 90_000, 0.1, 1), around(300_000));
    for (int i = 0; i < 40; i++) {
      queue.offer(packet(1, 0), false, 0);
      if (queue.bytes() > 58_500) {
        break;
      }
    }
    while (queue.bytes() < 60_000) {
      queue.offer(packet(1, 0), false, 0);
    }
    List<Integer> gaps = new ArrayList<>();
    int gap = 0;
    for (int i = 0; i < 20_000; i++) {
      gap++;
      if (queue.offer(packet(1, i), false, i)) {
        queue.poll(i);
      } else {
        gaps.add(gap);
        gap = 0;
      }
    }
    assertThat(gaps.stream().skip(1)).allMatch(g -> g <= 20);
    assertThat(20_000.0 / gaps.size()).isCloseTo(10.5, within(0.5));
  }

  @Test
  void redForgetsAQueueThatWasLongAgo() {
    RedQueue queue = new RedQueue(new RedSpec(3_000, 9_000, 1, 0.5), around(300_000));
    for (int i = 0; i < 30; i++) {
      queue.offer(packet(1, 0), false, 0);
    }
    while (queue.poll(1_000) != null) {
      // It is emptied.
    }
    // 20 packet times later the mean is a millionth of what it was: nothing is dropped.
    for (int i = 0; i < 2; i++) {
      assertThat(queue.offer(packet(1, 25_000), i == 0, 25_000)).isTrue();
    }
  }

  // ---- FQ-CoDel

  @Test
  void flowsTakeTurnsHoweverMuchOneHasWaiting() {
    FqCodelQueue queue = new FqCodelQueue(FqCodelSpec.DEFAULTS, around(1_000_000));
    for (int i = 0; i < 50; i++) {
      queue.offer(packet(1, 0), false, 0);
    }
    for (int i = 0; i < 5; i++) {
      queue.offer(packet(2, 0), false, 0);
    }
    int[] served = new int[3];
    for (int i = 0; i < 10; i++) {
      Waiting<?> head = queue.poll(1_000);
      assertThat(head).isNotNull();
      served[head.packet().flow()]++;
    }
    assertThat(served[2]).isBetween(4, 5);
  }

  @Test
  void aNewFlowGoesFirst() {
    FqCodelQueue queue = new FqCodelQueue(FqCodelSpec.DEFAULTS, around(1_000_000));
    for (int i = 0; i < 50; i++) {
      queue.offer(packet(1, 0), false, 0);
    }
    for (int i = 0; i < 4; i++) {
      queue.poll(1_000); // flow 1 has had its turn as a new one
    }
    queue.offer(packet(2, 1_000), false, 1_000);
    Waiting<?> head = queue.poll(1_000);
    assertThat(head).isNotNull();
    assertThat(head.packet().flow()).isEqualTo(2);
  }

  @Test
  void whatOverflowsIsTakenFromTheLongestQueue() {
    FqCodelQueue queue = new FqCodelQueue(FqCodelSpec.DEFAULTS, around(30_000));
    queue.offer(packet(2, 0), false, 0);
    for (int i = 0; i < 19; i++) {
      queue.offer(packet(1, 0), false, 0);
    }
    assertThat(dropped).isEmpty();
    assertThat(queue.offer(packet(2, 0), false, 0)).isTrue();
    // Half of the 19 of flow 1, from its head.
    assertThat(dropped).hasSize(10).allMatch(gone -> gone.packet().flow() == 1);
    assertThat(queue.bytes()).isEqualTo(11 * 1_500);
  }

  @Test
  void aFlowOfCubicAndOneOfRenoShareEqually() {
    Scenario scenario =
        new Scenario(
            1,
            LinkSpec.of(10_000_000, 25_000, 375_000).withQueue(FqCodelSpec.DEFAULTS),
            LinkSpec.of(10_000_000, 25_000, Long.MAX_VALUE));
    scenario.add(TcpFlowSpec.cubic("cubic"));
    scenario.add(TcpFlowSpec.bbr("bbr"));
    scenario.runUntil(60 * SECOND);
    assertThat(Checks.jainIndex(scenario.bottleneck(), scenario.flows(), 10 * SECOND, 60 * SECOND))
        .isGreaterThan(0.98);
  }

  // ---- acknowledgements

  @Test
  void aNewAcknowledgementTakesThePlaceOfAnOlderOneOfItsFlow() {
    AckFilterQueue queue = new AckFilterQueue(around(1_000_000));
    Path<TestPacket> nowhere = new Path<>(List.of(), unused -> {});
    for (int flow : new int[] {1, 2, 1, 1}) {
      queue.offer(new Waiting<>(new TestPacket(flow, sent++), nowhere, 0, 52, 0), false, 0);
    }
    queue.offer(packet(1, 0), false, 0);
    assertThat(dropped).extracting(gone -> gone.packet().checksum()).containsExactly(0L, 2L);
    // Data is never dropped for it, and hides the acknowledgements before it.
    queue.offer(new Waiting<>(new TestPacket(1, sent++), nowhere, 0, 52, 0), false, 0);
    assertThat(dropped).hasSize(2);
    assertThat(queue.bytes()).isEqualTo(52 * 3 + 1_500);
  }

  @Test
  void impossibleParametersAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PieSpec(0, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new RedSpec(2, 2, 0.1, 0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> new RedSpec(1, 2, 0, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FqCodelSpec(CodelSpec.DEFAULTS, 0, 1_514));
  }
}

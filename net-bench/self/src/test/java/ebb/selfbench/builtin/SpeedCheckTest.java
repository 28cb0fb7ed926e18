package ebb.selfbench.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.selfbench.process.PeerPrograms;
import ebb.selfbench.side.BenchMode;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import io.netty.channel.epoll.Epoll;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whether the data path is still one of bursts. Ratios taken side by side, the best of three, and
 * bounds far from what they are on an idle machine (0.4 and more of bare UDP, 64 bytes a packet):
 * this fails when somebody leaves GSO or copies every packet, not when the machine is busy.
 */
@Tag("speed-check")
class SpeedCheckTest {
  private static final int DATAGRAM_BYTES = 1_400;
  private static final Period PERIOD = new Period(3_000, 2_000);
  private static final int ROUNDS = 3;
  private static final double LEAST_OF_BARE_UDP = 0.1;
  private static final double MOST_ALLOCATED_BYTES_PER_PACKET = 256;
  private static final double LEAST_DATAGRAMS_PER_CALL = 2;

  private static double best(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  private static double least(List<Sample> samples, String detail) {
    return samples.stream().mapToDouble(one -> one.details().get(detail)).min().orElseThrow();
  }

  @Test
  void oneConnectionReachesItsPartOfBareUdp() throws InterruptedException {
    if (!Epoll.isAvailable()) {
      System.out.println("skipped: the speed check because there is no epoll here, and so no GSO");
      return;
    }
    BenchContext context = new BenchContext(DATAGRAM_BYTES, new PeerPrograms(null), null);
    List<Double> ratios = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      Sample ebb = BuiltInSubjects.ebb(BenchMode.AUTO).measure(context, PERIOD);
      Sample raw = BuiltInSubjects.raw(BenchMode.AUTO).measure(context, PERIOD);
      samples.add(ebb);
      ratios.add(ebb.megabytesPerSecond() / raw.megabytesPerSecond());
      System.out.printf(
          "speed check, round %d: %.0f MB/s, bare UDP %.0f MB/s, ratio %.2f%n",
          round, ebb.megabytesPerSecond(), raw.megabytesPerSecond(), ratios.get(round - 1));
    }
    assertThat(best(ratios)).as("of bare UDP, best of %s", ratios).isGreaterThan(LEAST_OF_BARE_UDP);
    assertThat(least(samples, "sender_allocated_bytes_per_packet"))
        .as("allocated by the sender for each packet")
        .isLessThan(MOST_ALLOCATED_BYTES_PER_PACKET);
    assertThat(least(samples, "receiver_allocated_bytes_per_packet"))
        .as("allocated by the receiver for each packet")
        .isLessThan(MOST_ALLOCATED_BYTES_PER_PACKET);
    List<Double> perCall =
        samples.stream().map(one -> one.details().get("sender_datagrams_per_burst")).toList();
    assertThat(best(perCall))
        .as("datagrams in a call that sends, GSO; best of %s", perCall)
        .isGreaterThan(LEAST_DATAGRAMS_PER_CALL);
  }
}

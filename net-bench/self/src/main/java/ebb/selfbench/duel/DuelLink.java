package ebb.selfbench.duel;

import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import java.util.Locale;

/**
 * The bottleneck of a duel: drop-tail, the same rate and delay both ways, loss in the direction of
 * the data.
 *
 * @param bufferMicros the buffer as time at the rate
 * @param loss probability with which each packet is lost, whatever the queue
 */
public record DuelLink(long rateBitsPerSecond, long rttMicros, long bufferMicros, double loss) {

  /** Rates in Mbit/s, times in milliseconds. */
  static DuelLink of(int megabits, int rttMillis, int bufferMillis) {
    return new DuelLink(megabits * 1_000_000L, rttMillis * 1_000L, bufferMillis * 1_000L, 0);
  }

  DuelLink withLoss(double value) {
    return new DuelLink(rateBitsPerSecond, rttMicros, bufferMicros, value);
  }

  LinkSpec forward() {
    long bufferBytes = LinkSpec.bytesIn(bufferMicros, rateBitsPerSecond);
    return LinkSpec.of(rateBitsPerSecond, rttMicros / 2, bufferBytes)
        .withLoss(new LossSpec.Random(loss));
  }

  LinkSpec backward() {
    return LinkSpec.of(rateBitsPerSecond, rttMicros - rttMicros / 2, Long.MAX_VALUE);
  }

  /** What a full packet takes on it. */
  long packetMicros() {
    return 1_500 * 8 * 1_000_000L / rateBitsPerSecond;
  }

  /** Rate, then base round trip and buffer in milliseconds: {@code 10M 50/150 1%}. */
  public String label() {
    String name =
        String.format(
            Locale.ROOT,
            "%dM %d/%d",
            rateBitsPerSecond / 1_000_000,
            rttMicros / 1_000,
            bufferMicros / 1_000);
    if (loss == 0) {
      return name;
    }
    return name + (loss < 0.01 ? String.format(Locale.ROOT, " %.1f%%", loss * 100) : " 1%");
  }
}

package ebb.testkit.link;

/**
 * PIE's parameters (RFC 8033, 4.2 and 5).
 *
 * @param targetMicros QDELAY_REF: the delay that it steers to
 * @param updateMicros T_UPDATE: how often the probability is computed
 * @param maxBurstMicros MAX_BURST: for so long nothing is dropped after an idle time
 */
public record PieSpec(long targetMicros, long updateMicros, long maxBurstMicros)
    implements QueueSpec {
  /** RFC 8033, 4.2 and 4.4: 15 ms, 15 ms and 150 ms. */
  public static final PieSpec DEFAULTS = new PieSpec(15_000, 15_000, 150_000);

  /** Ranges are checked. */
  public PieSpec {
    if (targetMicros < 1 || updateMicros < 1 || maxBurstMicros < 0) {
      throw new IllegalArgumentException(
          "PIE needs 0 < target, 0 < update and 0 <= burst: "
              + targetMicros
              + ", "
              + updateMicros
              + ", "
              + maxBurstMicros);
    }
  }
}

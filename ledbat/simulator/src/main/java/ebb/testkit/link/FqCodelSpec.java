package ebb.testkit.link;

/**
 * FQ-CoDel's parameters (RFC 8290, 5.2).
 *
 * @param codel of each flow's queue
 * @param queues into which flows are hashed
 * @param quantumBytes that a flow sends in its turn
 */
public record FqCodelSpec(CodelSpec codel, int queues, int quantumBytes) implements QueueSpec {
  /** RFC 8290, 5.2: CoDel's defaults, 1024 queues, 1514 bytes. */
  public static final FqCodelSpec DEFAULTS = new FqCodelSpec(CodelSpec.DEFAULTS, 1_024, 1_514);

  /** Ranges are checked. */
  public FqCodelSpec {
    if (queues < 1 || queues > 65_536 || quantumBytes < 1) {
      throw new IllegalArgumentException(
          "FQ-CoDel needs 1 to 65536 queues and a quantum: " + queues + ", " + quantumBytes);
    }
  }
}

package ebb.testkit.link;

/**
 * RED's parameters (Floyd and Jacobson, 1993), the "gentle" variant: between the thresholds the
 * probability rises to {@code maxProbability}, and from there to 1 at twice the upper one.
 *
 * @param minBytes of the mean queue, below which nothing is dropped
 * @param maxBytes upper threshold; three times the lower is usual
 * @param maxProbability at the upper threshold
 * @param weight of a new length in the mean
 */
public record RedSpec(long minBytes, long maxBytes, double maxProbability, double weight)
    implements QueueSpec {
  /** Ranges are checked. */
  public RedSpec {
    if (minBytes < 1 || maxBytes <= minBytes) {
      throw new IllegalArgumentException(
          "RED needs 0 < min < max: " + minBytes + ", " + maxBytes + " bytes");
    }
    if (!(maxProbability > 0 && maxProbability <= 1 && weight > 0 && weight <= 1)) {
      throw new IllegalArgumentException(
          "RED needs a probability and a weight above 0 and at most 1: "
              + maxProbability
              + ", "
              + weight);
    }
  }

  /** For a buffer: thresholds at a sixth and at half of it, 0.1, a weight of 0.002. */
  public static RedSpec forBuffer(long bufferBytes) {
    return new RedSpec(Math.max(1, bufferBytes / 6), Math.max(2, bufferBytes / 2), 0.1, 0.002);
  }
}

package ebb.net.echo;

/**
 * How many echoes went and what became of them. Immutable.
 *
 * @param transmitted that were sent
 * @param received that were answered, each counted once
 * @param lost whose answer has not come, though the wait for it is over
 * @param late of those received, whose answer came when the wait for it was over
 * @param duplicates answers to what had been answered before
 * @param reordered of those received, whose answer came after the one to a later echo
 * @param corrupt answers that did not hold the bytes that were sent
 */
public record EchoCounts(
    long transmitted,
    long received,
    long lost,
    long late,
    long duplicates,
    long reordered,
    long corrupt) {
  /** Nothing yet. */
  public static final EchoCounts NONE = new EchoCounts(0, 0, 0, 0, 0, 0, 0);

  /** What came after an {@code earlier} state; {@code lost} is below 0 when late answers came. */
  public EchoCounts since(EchoCounts earlier) {
    return new EchoCounts(
        transmitted - earlier.transmitted,
        received - earlier.received,
        lost - earlier.lost,
        late - earlier.late,
        duplicates - earlier.duplicates,
        reordered - earlier.reordered,
        corrupt - earlier.corrupt);
  }

  /** The part that is lost of those whose fate is known; NaN when there are none. */
  public double lossRatio() {
    long known = received + lost;
    return known == 0 ? Double.NaN : (double) lost / known;
  }
}

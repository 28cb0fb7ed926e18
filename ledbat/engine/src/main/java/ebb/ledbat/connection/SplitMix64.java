package ebb.ledbat.connection;

/**
 * The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): spreads what differs over all bits.
 */
public final class SplitMix64 {
  private SplitMix64() {}

  /** The same bits for the same number, on every machine. */
  public static long mix(long number) {
    long y = (number ^ number >>> 30) * 0xBF58476D1CE4E5B9L;
    y = (y ^ y >>> 27) * 0x94D049BB133111EBL;
    return y ^ y >>> 31;
  }
}

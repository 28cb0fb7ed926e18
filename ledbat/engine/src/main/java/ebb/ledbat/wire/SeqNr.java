package ebb.ledbat.wire;

/**
 * Serial arithmetic on 16-bit sequence numbers, kept as {@code int} in 0..65535 (RFC 1982 with
 * SERIAL_BITS = 16, which BEP 29 implies but does not name).
 */
public final class SeqNr {
  private SeqNr() {}

  /**
   * {@code seqNr + n} modulo 2^16; {@code n} may be negative.
   *
   * <p>RFC 1982, 3.1: "s' = (s + n) modulo (2 ^ SERIAL_BITS)".
   */
  public static int plus(int seqNr, int n) {
    return (seqNr + n) & 0xffff;
  }

  /** The signed distance from {@code from} to {@code to}, in -32768..32767. */
  public static int distance(int from, int to) {
    return (short) (to - from);
  }

  /**
   * Whether {@code a} comes before {@code b}.
   *
   * <p>RFC 1982, 3.2: "s1 is said to be less than s2 if, and only if, s1 is not equal to s2, and
   * (i1 &lt; i2 and i2 - i1 &lt; 2^(SERIAL_BITS - 1)) or (i1 > i2 and i1 - i2 > 2^(SERIAL_BITS -
   * 1))".
   */
  public static boolean before(int a, int b) {
    return distance(a, b) > 0;
  }
}

package ebb.net.control;

import java.nio.ByteBuffer;

/**
 * How long datagrams took one way, by the time that they were stamped with and the receiver's clock
 * when they came. Ebb's clients stamp by the server's clock, as far as they know it. Immutable.
 *
 * @param minMicros the least; above {@code maxMicros} when there was none
 */
public record OneWay(long minMicros, long meanMicros, long maxMicros) {
  public static final OneWay NONE = new OneWay(Long.MAX_VALUE, 0, Long.MIN_VALUE);

  static final int BYTES = 3 * 8;

  public boolean isKnown() {
    return minMicros <= meanMicros && meanMicros <= maxMicros;
  }

  /** Two flows together; the mean is that of their means. */
  OneWay with(OneWay other) {
    if (!isKnown()) {
      return other;
    }
    return other.isKnown()
        ? new OneWay(
            Math.min(minMicros, other.minMicros),
            Math.floorDiv(meanMicros, 2) + Math.floorDiv(other.meanMicros, 2),
            Math.max(maxMicros, other.maxMicros))
        : this;
  }

  void write(ByteBuffer out) {
    out.putLong(minMicros).putLong(meanMicros).putLong(maxMicros);
  }

  static OneWay read(ByteBuffer in) {
    return new OneWay(in.getLong(), in.getLong(), in.getLong());
  }
}

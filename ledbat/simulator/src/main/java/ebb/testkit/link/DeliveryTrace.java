package ebb.testkit.link;

import ebb.testkit.sim.Schedule;
import java.util.Arrays;

/**
 * Moments at which a link may deliver a full packet each, as recorded on mobile networks
 * (Mahimahi's format). The link's rate says nothing beside it. Immutable.
 */
public final class DeliveryTrace implements ServiceSpec {
  /** What one moment carries. */
  public static final int BYTES = 1_500;

  private final long[] atMicros;
  private final long periodMicros;
  private final boolean repeats;

  /**
   * A trace of at least one moment.
   *
   * @param atMicros in order; the last one is above 0 and is the length of the trace
   * @param repeats begins again at its end, else nothing is delivered after it
   * @throws IllegalArgumentException when it is empty or not in order
   */
  public DeliveryTrace(long[] atMicros, boolean repeats) {
    this.atMicros = atMicros.clone();
    this.repeats = repeats;
    for (int i = 0; i < atMicros.length; i++) {
      if (atMicros[i] < (i == 0 ? 0 : atMicros[i - 1])) {
        throw new IllegalArgumentException("the times of a trace must not fall: " + atMicros[i]);
      }
    }
    periodMicros = atMicros.length == 0 ? 0 : atMicros[atMicros.length - 1];
    if (periodMicros < 1) {
      throw new IllegalArgumentException("a trace needs a time above 0");
    }
  }

  /** How long it is, once. */
  public long periodMicros() {
    return periodMicros;
  }

  /** Whether it begins again at its end. */
  public boolean repeats() {
    return repeats;
  }

  /** The first moment after {@code micros}; {@link Long#MAX_VALUE} when there is none. */
  long nextMicros(long micros) {
    long round = Math.max(0, micros) / periodMicros;
    long within = Math.max(0, micros) - round * periodMicros;
    int index = firstAfter(within);
    if (index == atMicros.length) {
      round++;
      index = firstAfter(-1);
    }
    return round > 0 && !repeats ? Long.MAX_VALUE : round * periodMicros + atMicros[index];
  }

  /** Moments in [{@code from}, {@code to}). */
  private long count(long fromMicros, long toMicros) {
    return before(toMicros) - before(fromMicros);
  }

  private long before(long micros) {
    if (micros <= 0) {
      return 0;
    }
    long round = (micros - 1) / periodMicros;
    if (round > 0 && !repeats) {
      return atMicros.length;
    }
    return round * atMicros.length + firstAfter(micros - 1 - round * periodMicros);
  }

  /** The index of the first moment after {@code micros} in one round. */
  private int firstAfter(long micros) {
    int index = Arrays.binarySearch(atMicros, micros + 1);
    if (index < 0) {
      return -index - 1;
    }
    while (index > 0 && atMicros[index - 1] == atMicros[index]) {
      index--;
    }
    return index;
  }

  /** What may be delivered at one moment that {@link #nextMicros} gave. */
  long bytesAt(long micros) {
    return BYTES * count(micros, micros + 1);
  }

  @Override
  public double capacityBytes(Schedule<Long> rate, long fromMicros, long toMicros) {
    return (double) BYTES * count(fromMicros, toMicros);
  }
}

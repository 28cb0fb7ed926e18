package ebb.testkit.link;

import ebb.testkit.sim.Schedule;

/** When a link's server takes packets from its queue. */
public sealed interface ServiceSpec
    permits ServiceSpec.Continuous, ServiceSpec.Bursts, DeliveryTrace {
  /** One packet after the other, each for as long as the rate says. */
  ServiceSpec CONTINUOUS = new Continuous();

  /** See {@link #CONTINUOUS}. */
  record Continuous() implements ServiceSpec {
    @Override
    public double capacityBytes(Schedule<Long> rate, long fromMicros, long toMicros) {
      return atRate(rate, fromMicros, toMicros);
    }
  }

  /**
   * In one go what waits, at moments that are random times apart; at most what the rate gives for
   * the time since the moment before. So Wi-Fi serves a station that joins its frames
   * (aggregation).
   *
   * @param minMicros between two moments, uniformly; above 0
   * @param maxMicros at least {@code minMicros}
   */
  record Bursts(long minMicros, long maxMicros) implements ServiceSpec {
    /** Ranges are checked. */
    public Bursts {
      if (minMicros < 1 || maxMicros < minMicros) {
        throw new IllegalArgumentException(
            "bursts need 0 < min <= max: " + minMicros + ", " + maxMicros + " us");
      }
    }

    @Override
    public double capacityBytes(Schedule<Long> rate, long fromMicros, long toMicros) {
      return atRate(rate, fromMicros, toMicros);
    }
  }

  /** What a link with this service and {@code rate} can carry in [{@code from}, {@code to}). */
  double capacityBytes(Schedule<Long> rate, long fromMicros, long toMicros);

  private static double atRate(Schedule<Long> rate, long fromMicros, long toMicros) {
    return rate.integralSeconds(fromMicros, toMicros, bits -> bits) / 8;
  }
}

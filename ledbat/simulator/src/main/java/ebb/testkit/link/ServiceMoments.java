package ebb.testkit.link;

import ebb.testkit.sim.Schedule;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The moments at which a link serves what waits, for links that do not serve continuously, and how
 * much each carries. A packet may exceed what is left; the next moment carries that much less.
 */
final class ServiceMoments {
  private final ServiceSpec spec;
  private final Schedule<Long> rate;
  private final RandomGenerator random;
  private long lastMicros;
  private long nextMicros;
  private double roomBytes;

  private ServiceMoments(ServiceSpec spec, Schedule<Long> rate, RandomGenerator random) {
    this.spec = spec;
    this.rate = rate;
    this.random = random;
  }

  /** Null for a link that serves continuously. */
  static @Nullable ServiceMoments of(LinkSpec link, RandomGenerator random) {
    return link.service() instanceof ServiceSpec.Continuous
        ? null
        : new ServiceMoments(link.service(), link.rateBitsPerSecond(), random);
  }

  /** The first moment after {@code nowMicros}; {@link Long#MAX_VALUE} when there is none. */
  long nextMicros(long nowMicros) {
    if (spec instanceof DeliveryTrace trace) {
      return trace.nextMicros(nowMicros);
    }
    if (spec instanceof ServiceSpec.Bursts bursts) {
      while (nextMicros <= nowMicros) {
        lastMicros = nextMicros;
        long spread = bursts.maxMicros() - bursts.minMicros() + 1;
        nextMicros += bursts.minMicros() + (long) (random.nextDouble() * spread);
      }
    }
    return nextMicros;
  }

  /** One of these moments is now. */
  void begin(long nowMicros) {
    if (spec instanceof DeliveryTrace trace) {
      roomBytes += trace.bytesAt(nowMicros);
    } else {
      roomBytes += spec.capacityBytes(rate, lastMicros, nowMicros);
    }
  }

  boolean hasRoom() {
    return roomBytes > 0;
  }

  void spend(int bytes) {
    roomBytes -= bytes;
  }

  /** Nothing waits: what is left of the moment is lost. */
  void forgetRoom() {
    roomBytes = Math.min(0, roomBytes);
  }
}

package ebb.ledbat.endpoint;

import ebb.ledbat.config.LedbatConfig;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Two endpoints on virtual time with a link between them that delays, loses, duplicates and
 * reorders as told, and can limit rate and buffer. Deterministic for a seed.
 */
public final class EndpointPair {
  public static final InetSocketAddress LEFT = new InetSocketAddress("10.0.0.1", 1001);
  public static final InetSocketAddress RIGHT = new InetSocketAddress("10.0.0.2", 1002);

  /** What a test may do to a datagram on its way. */
  public interface Tap {
    /** Returns false to drop it. */
    boolean pass(InetSocketAddress from, byte[] datagram);
  }

  private record Arrival(long atMicros, long order, InetSocketAddress from, byte[] bytes) {}

  public final SplittableRandom random;
  public final LedbatEndpoint left;
  public final LedbatEndpoint right;
  public long nowMicros = 5_000_000;
  public long delayMicros = 10_000;
  public long rateBytesPerSecond;
  public long bufferMicros = 1_000_000;
  public double loss;
  public double duplicate;
  public double reorder;
  public int mtuBytes = 65_535;
  public long rightClockOffsetMicros;
  public int maxSegments = 16;
  public Tap tap = (from, datagram) -> true;
  public long datagrams;
  public long steps;

  private final PriorityQueue<Arrival> wire =
      new PriorityQueue<>(
          (a, b) ->
              a.atMicros != b.atMicros
                  ? Long.compare(a.atMicros, b.atMicros)
                  : Long.compare(a.order, b.order));
  private final Transmit transmit;
  private long order;
  private final long[] linkFreeMicros = new long[2];

  public EndpointPair(long seed, LedbatConfig config, EndpointListener acceptor) {
    this(seed, config, config, acceptor);
  }

  public EndpointPair(
      long seed, LedbatConfig leftConfig, LedbatConfig rightConfig, EndpointListener acceptor) {
    this(seed, leftConfig, rightConfig, new EndpointListener() {}, acceptor, null);
  }

  /**
   * Both sides accept.
   *
   * @param ids for connection ids and first sequence numbers; null for the seed's
   */
  public EndpointPair(
      long seed,
      LedbatConfig leftConfig,
      LedbatConfig rightConfig,
      EndpointListener leftAcceptor,
      EndpointListener rightAcceptor,
      RandomGenerator ids) {
    random = new SplittableRandom(seed);
    RandomGenerator source = ids == null ? random::nextLong : ids;
    left = new LedbatEndpoint(leftConfig, source, leftAcceptor);
    right = new LedbatEndpoint(rightConfig, source, rightAcceptor);
    transmit = new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 16);
  }

  /** Runs until the condition holds; false when that took longer than {@code limitMicros}. */
  public boolean runUntil(long limitMicros, BooleanSupplier condition) {
    long end = nowMicros + limitMicros;
    flush();
    while (!condition.getAsBoolean()) {
      long next =
          Math.min(
              wire.isEmpty() ? Long.MAX_VALUE : wire.peek().atMicros,
              Math.min(left.nextTimeoutMicros(), toLeftClock(right.nextTimeoutMicros())));
      if (next > end) {
        nowMicros = end;
        return condition.getAsBoolean();
      }
      nowMicros = Math.max(nowMicros, next);
      step();
    }
    return true;
  }

  public void run(long micros) {
    runUntil(micros, () -> false);
  }

  private void step() {
    steps++;
    while (!wire.isEmpty() && wire.peek().atMicros <= nowMicros) {
      Arrival arrival = wire.poll();
      boolean toRight = !arrival.from.equals(RIGHT); // Strangers call on the right.
      ByteBuffer buffer = ByteBuffer.wrap(arrival.bytes);
      (toRight ? right : left).receive(arrival.from, buffer, arrival.bytes.length, clock(toRight));
    }
    left.onTimeout(nowMicros);
    right.onTimeout(clock(true));
    flush();
  }

  /** Sends whatever the endpoints have to send. */
  public void flush() {
    left.endOfBurst(nowMicros);
    right.endOfBurst(clock(true));
    drain(left, LEFT, false);
    drain(right, RIGHT, true);
  }

  long clock(boolean ofRight) {
    return ofRight ? nowMicros + rightClockOffsetMicros : nowMicros;
  }

  private long toLeftClock(long rightMicros) {
    return rightMicros == Long.MAX_VALUE ? rightMicros : rightMicros - rightClockOffsetMicros;
  }

  private void drain(LedbatEndpoint endpoint, InetSocketAddress from, boolean isRight) {
    while (endpoint.pollTransmit(transmit, clock(isRight))) {
      ByteBuffer buffer = transmit.buffer;
      while (buffer.hasRemaining()) {
        byte[] datagram = new byte[Math.min(transmit.segmentSizeBytes, buffer.remaining())];
        buffer.get(datagram);
        send(from, datagram, isRight ? 1 : 0, transmit.dontFragment);
      }
    }
  }

  /** Injects a datagram as if {@code from} had sent it. */
  public void inject(InetSocketAddress from, byte[] datagram) {
    wire.add(new Arrival(nowMicros, order++, from, datagram));
  }

  private void send(InetSocketAddress from, byte[] datagram, int link, boolean dontFragment) {
    datagrams++;
    if (!tap.pass(from, datagram)
        || (dontFragment && datagram.length > mtuBytes)
        || random.nextDouble() < loss) {
      return;
    }
    long due = nowMicros + delayMicros;
    if (rateBytesPerSecond > 0) {
      long free = Math.max(nowMicros, linkFreeMicros[link]);
      if (free - nowMicros > bufferMicros) {
        return;
      }
      linkFreeMicros[link] = free + (datagram.length + 28) * 1_000_000L / rateBytesPerSecond;
      due = linkFreeMicros[link] + delayMicros;
    }
    if (random.nextDouble() < reorder) {
      due += random.nextInt(5_000);
    }
    wire.add(new Arrival(due, order++, from, datagram));
    if (random.nextDouble() < duplicate) {
      wire.add(new Arrival(due + random.nextInt(3_000), order++, from, datagram.clone()));
    }
  }
}

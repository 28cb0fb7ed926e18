package ebb.ledbat.kompics;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import ebb.ledbat.trace.Counters;
import ebb.testkit.link.Nat;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Any number of endpoints on virtual time, joined by links with a delay and losses. */
final class VirtualNet {
  private record Item(long atMicros, long order, Runnable action) {}

  private final PriorityQueue<Item> agenda =
      new PriorityQueue<>(
          (a, b) ->
              a.atMicros != b.atMicros
                  ? Long.compare(a.atMicros, b.atMicros)
                  : Long.compare(a.order, b.order));
  private final Map<InetSocketAddress, Driver> drivers = new HashMap<>();
  private final SplittableRandom random;
  private long order;
  long nowMicros = 1_000_000;
  long delayMicros = 10_000;
  double loss;
  BiPredicate<InetSocketAddress, InetSocketAddress> passes = (from, to) -> true;

  /** What stands between hosts and the net, by the hosts, and by its own address. */
  private final Map<InetSocketAddress, Nat> natOf = new HashMap<>();

  private final Map<InetAddress, Nat> nats = new HashMap<>();

  /** From here on the host's datagrams go through a NAT. */
  void hide(InetSocketAddress host, Nat nat) {
    natOf.put(host, nat);
    nats.put(nat.outside(), nat);
  }

  /** The source that a datagram has on its way. */
  private InetSocketAddress sourceOf(InetSocketAddress host, InetSocketAddress to) {
    Nat nat = natOf.get(host);
    boolean stays = nat == null || natOf.get(to) == nat;
    return stays || nat == null ? host : nat.outbound(host, to, nowMicros);
  }

  /** The host that gets it; null when none does. */
  private @Nullable InetSocketAddress receiverOf(
      InetSocketAddress host, InetSocketAddress from, InetSocketAddress to) {
    Nat nat = nats.get(to.getAddress());
    if (nat == null) {
      return natOf.containsKey(to) && natOf.get(to) != natOf.get(host) ? null : to;
    }
    return nat == natOf.get(host) && !nat.hairpins() ? null : nat.inbound(from, to, nowMicros);
  }

  /** What a test sees of a datagram on the wire, and puts in its place; null drops it. */
  UnaryOperator<byte[]> tap = datagram -> datagram;

  VirtualNet(long seed) {
    random = new SplittableRandom(seed);
  }

  static InetSocketAddress node(int number) {
    return new InetSocketAddress("10.0.0." + number, 4_000 + number);
  }

  Driver start(InetSocketAddress local, LedbatConfig config, EndpointListener listener) {
    Driver driver = new Driver(local, config, listener);
    drivers.put(local, driver);
    return driver;
  }

  /** Runs until the condition holds; false when it did not within {@code limitMicros}. */
  boolean runUntil(long limitMicros, BooleanSupplier condition) {
    long end = nowMicros + limitMicros;
    while (!condition.getAsBoolean()) {
      Item next = agenda.peek();
      if (next == null || next.atMicros > end) {
        nowMicros = end;
        return condition.getAsBoolean();
      }
      agenda.poll();
      nowMicros = Math.max(nowMicros, next.atMicros);
      next.action.run();
    }
    return true;
  }

  void run(long micros) {
    runUntil(micros, () -> false);
  }

  void at(long delayMicros, Runnable action) {
    agenda.add(new Item(nowMicros + delayMicros, order++, action));
  }

  /** Hands a datagram over as if it had come from {@code from}. */
  void inject(InetSocketAddress from, InetSocketAddress to, byte[] datagram) {
    Driver receiver = drivers.get(to);
    if (receiver != null) {
      receiver.receive(from, datagram, datagram.length);
    }
  }

  final class Driver implements EndpointDriver {
    private final InetSocketAddress local;
    private final LedbatEndpoint endpoint;
    private final Transmit transmit =
        new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 16);
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private boolean closed;
    private boolean running;
    private long armedMicros = Long.MAX_VALUE;

    private Driver(InetSocketAddress local, LedbatConfig config, EndpointListener listener) {
      this.local = local;
      endpoint = new LedbatEndpoint(config, random::nextLong, listener);
    }

    LedbatEndpoint endpoint() {
      return endpoint;
    }

    @Override
    public void execute(Task task) {
      schedule(0, task);
    }

    @Override
    public void schedule(long delayMicros, Task task) {
      at(
          delayMicros,
          () -> {
            if (!closed) {
              tasks.add(task);
              cycle();
            }
          });
    }

    @Override
    public long nowMicros() {
      return nowMicros;
    }

    @Override
    public Counters counters() {
      return endpoint.counters();
    }

    @Override
    public InetSocketAddress localAddress() {
      return local;
    }

    @Override
    public void close() {
      at(
          0,
          () -> {
            if (!closed) {
              endpoint.close(nowMicros);
              cycle();
              vanish();
            }
          });
    }

    /** As if the process had been killed: nothing is told to anybody. */
    void vanish() {
      closed = true;
      drivers.remove(local, this);
    }

    private void receive(InetSocketAddress from, byte[] burst, int segmentSizeBytes) {
      if (!closed) {
        endpoint.receive(from, ByteBuffer.wrap(burst), segmentSizeBytes, nowMicros);
        cycle();
      }
    }

    private void cycle() {
      if (running) {
        return;
      }
      running = true;
      for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run(endpoint, nowMicros);
      }
      if (endpoint.nextTimeoutMicros() <= nowMicros) {
        endpoint.onTimeout(nowMicros);
      }
      endpoint.endOfBurst(nowMicros);
      while (endpoint.pollTransmit(transmit, nowMicros)) {
        transmit();
      }
      running = false;
      long next = endpoint.nextTimeoutMicros();
      if (next < armedMicros && next != Long.MAX_VALUE) {
        armedMicros = next;
        at(Math.max(0, next - nowMicros), () -> onTimer(next));
      }
    }

    private void onTimer(long firedMicros) {
      if (armedMicros == firedMicros) {
        armedMicros = Long.MAX_VALUE;
      }
      if (!closed) {
        cycle();
      }
    }

    private void transmit() {
      InetSocketAddress to = transmit.destination;
      int segmentSizeBytes = transmit.segmentSizeBytes;
      ByteBuffer out = transmit.buffer;
      while (out.hasRemaining()) {
        byte[] datagram = new byte[Math.min(segmentSizeBytes, out.remaining())];
        out.get(datagram);
        byte[] arriving = tap.apply(datagram);
        if (arriving != null && passes.test(local, to) && random.nextDouble() >= loss) {
          InetSocketAddress from = sourceOf(local, to);
          at(
              delayMicros,
              () -> {
                InetSocketAddress host = receiverOf(local, from, to);
                Driver receiver = host == null ? null : drivers.get(host);
                if (receiver != null) {
                  receiver.receive(from, arriving, arriving.length);
                }
              });
        }
      }
    }
  }
}

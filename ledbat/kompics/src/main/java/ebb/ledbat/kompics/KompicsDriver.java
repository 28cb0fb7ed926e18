package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbSerializers;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentProxy;
import se.sics.kompics.Handler;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.LoopbackPort;
import se.sics.kompics.Port;
import se.sics.kompics.Positive;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;
import se.sics.kompics.timer.ScheduleTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/**
 * Runs an endpoint over any Kompics {@link Network} and {@link Timer}, inside the handlers of the
 * component that uses it: one datagram is one message, time-outs have the timer's resolution of a
 * millisecond. This is what Kompics' simulator runs, where it is deterministic; for speed there is
 * the driver that owns its socket.
 *
 * <p>A component that is given {@link Factory} requires both ports, and whoever creates it connects
 * them.
 */
public final class KompicsDriver implements EndpointDriver {
  private static final long MICROS_PER_MILLI = 1_000;

  private final Ports ports;
  private final EbbAddress self;
  private final InetSocketAddress local;
  private final MicroClock clock;
  private final LedbatEndpoint endpoint;
  private final Transmit transmit = new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 1);
  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean runPending = new AtomicBoolean();

  // When the timer will call, in milliseconds. A time-out is never cancelled, which Kompics makes
  // expensive; one that comes for nothing finds nothing to do.
  private final TreeSet<Long> armedMillis = new TreeSet<>();
  private boolean closed;

  private KompicsDriver(
      Ports ports,
      EbbAddress self,
      InetSocketAddress local,
      MicroClock clock,
      LedbatEndpoint endpoint) {
    this.ports = ports;
    this.self = self;
    this.local = local;
    this.clock = clock;
    this.endpoint = endpoint;
  }

  @Override
  public void execute(Task task) {
    tasks.add(task);
    if (runPending.compareAndSet(false, true)) {
      ports.component.trigger(new Run(this), ports.onSelf);
    }
  }

  @Override
  public void schedule(long delayMicros, Task task) {
    long delayMillis = Math.max(1, -Math.floorDiv(-delayMicros, MICROS_PER_MILLI));
    ScheduleTimeout request = new ScheduleTimeout(delayMillis);
    request.setTimeoutEvent(new TaskDue(request, this, task));
    ports.component.trigger(request, ports.timer);
  }

  @Override
  public Counters counters() {
    Counters counters = endpoint.counters();
    return new Counters() {
      @Override
      public List<Metric> metrics() {
        return counters.metrics();
      }

      @Override
      public long[] snapshot() {
        synchronized (KompicsDriver.this) {
          return counters.snapshot();
        }
      }
    };
  }

  @Override
  public long nowMicros() {
    return clock.nowMicros();
  }

  @Override
  public InetSocketAddress localAddress() {
    return local;
  }

  /** Also runs what was given before; called where the component ends, as no handler runs after. */
  @Override
  public synchronized void close() {
    if (!closed) {
      runTasks();
      long nowMicros = clock.nowMicros();
      endpoint.close(nowMicros);
      endpoint.endOfBurst(nowMicros);
      transmitAll(nowMicros);
      closed = true;
    }
  }

  private synchronized void runTasks() {
    runPending.set(false);
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      runNow(task);
    }
    settle();
  }

  private synchronized void runTask(Task task) {
    runNow(task);
    settle();
  }

  private void runNow(Task task) {
    if (!closed) {
      task.run(endpoint, clock.nowMicros());
    }
  }

  private synchronized void receive(UtpDatagram datagram) {
    if (!closed) {
      endpoint.receive(
          datagram.getHeader().source().asSocket(),
          ByteBuffer.wrap(datagram.payload()),
          Math.max(1, datagram.payload().length),
          clock.nowMicros());
      settle();
    }
  }

  private synchronized void wake(long millis) {
    armedMillis.remove(millis);
    settle();
  }

  private void settle() {
    if (closed) {
      return;
    }
    long nowMicros = clock.nowMicros();
    if (endpoint.nextTimeoutMicros() <= nowMicros) {
      endpoint.onTimeout(nowMicros);
    }
    endpoint.endOfBurst(nowMicros);
    transmitAll(nowMicros);
    arm(endpoint.nextTimeoutMicros(), nowMicros);
  }

  private void transmitAll(long nowMicros) {
    while (endpoint.pollTransmit(transmit, nowMicros)) {
      byte[] payload = new byte[transmit.buffer.remaining()];
      transmit.buffer.get(payload);
      EbbHeader header = new EbbHeader(self, EbbAddress.of(transmit.destination), Transport.UDP);
      ports.component.trigger(new UtpDatagram(header, payload), ports.network);
    }
  }

  private void arm(long deadlineMicros, long nowMicros) {
    if (deadlineMicros == Long.MAX_VALUE) {
      return;
    }
    long delayMillis = Math.max(1, -Math.floorDiv(nowMicros - deadlineMicros, MICROS_PER_MILLI));
    long dueMillis = Math.floorDiv(nowMicros, MICROS_PER_MILLI) + delayMillis;
    if (armedMillis.isEmpty() || armedMillis.first() > dueMillis) {
      armedMillis.add(dueMillis);
      ScheduleTimeout request = new ScheduleTimeout(delayMillis);
      request.setTimeoutEvent(new Wakeup(request, this, dueMillis));
      ports.component.trigger(request, ports.timer);
    }
  }

  private record Run(KompicsDriver driver) implements KompicsEvent {}

  private static final class Wakeup extends Timeout {
    private final KompicsDriver driver;
    private final long dueMillis;

    Wakeup(ScheduleTimeout request, KompicsDriver driver, long dueMillis) {
      super(request);
      this.driver = driver;
      this.dueMillis = dueMillis;
    }
  }

  private static final class TaskDue extends Timeout {
    private final KompicsDriver driver;
    private final Task task;

    TaskDue(ScheduleTimeout request, KompicsDriver driver, Task task) {
      super(request);
      this.driver = driver;
      this.task = task;
    }
  }

  /** The ports that a stacked driver uses, and the handlers that call it. */
  private static final class Ports {
    private final ComponentProxy component;
    private final Positive<Network> network;
    private final Positive<Timer> timer;
    private final Positive<LoopbackPort> onSelf;

    Ports(ComponentProxy component) {
      this.component = component;
      network = component.requires(Network.class);
      timer = component.requires(Timer.class);
      onSelf = component.getPositive(LoopbackPort.class);
    }

    void subscribe(Factory factory) {
      component.subscribe(
          new Handler<UtpDatagram>(UtpDatagram.class) {
            @Override
            public void handle(UtpDatagram datagram) {
              KompicsDriver driver = factory.current;
              if (driver != null) {
                driver.receive(datagram);
              }
            }
          },
          network);
      component.subscribe(
          new Handler<Wakeup>(Wakeup.class) {
            @Override
            public void handle(Wakeup wakeup) {
              wakeup.driver.wake(wakeup.dueMillis);
            }
          },
          timer);
      component.subscribe(
          new Handler<TaskDue>(TaskDue.class) {
            @Override
            public void handle(TaskDue due) {
              due.driver.runTask(due.task);
            }
          },
          timer);
      Port<LoopbackPort> loopback = onSelf.getPair();
      component.subscribe(
          new Handler<Run>(Run.class) {
            @Override
            public void handle(Run run) {
              run.driver.runTasks();
            }
          },
          loopback);
    }
  }

  /** Makes drivers for one component, and gives it the ports that they need. */
  public static final class Factory implements DriverFactory {
    private final EbbAddress self;
    private final MicroClock clock;
    private final RandomGenerator random;
    private @Nullable Ports ports;
    private volatile @Nullable KompicsDriver current;

    /**
     * @param self the source address of its datagrams
     * @param clock {@link MicroClock#system()} also in Kompics' simulator, which redirects it
     * @param random for connection ids and first sequence numbers
     */
    public Factory(EbbAddress self, MicroClock clock, RandomGenerator random) {
      this.self = self;
      this.clock = clock;
      this.random = random;
    }

    @Override
    public void attach(ComponentProxy component) {
      if (ports != null) {
        throw new IllegalStateException("this factory serves another component already");
      }
      EbbSerializers.install();
      EbbSerializers.register(new UtpDatagram.Serializer());
      Ports attached = new Ports(component);
      attached.subscribe(this);
      ports = attached;
    }

    @Override
    public EndpointDriver start(
        InetSocketAddress local, LedbatConfig config, EndpointListener listener) {
      Ports attached = ports;
      if (attached == null) {
        throw new IllegalStateException("no component is attached");
      }
      KompicsDriver driver =
          new KompicsDriver(
              attached, self, local, clock, new LedbatEndpoint(config, random, listener));
      current = driver;
      return driver;
    }
  }
}

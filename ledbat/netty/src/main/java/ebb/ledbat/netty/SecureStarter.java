package ebb.ledbat.netty;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.secure.KeyRing;
import ebb.ledbat.secure.PresharedKey;
import ebb.ledbat.secure.RecordCipher;
import ebb.ledbat.secure.SecureContext;
import ebb.ledbat.secure.SecureRefusal;
import ebb.ledbat.secure.SecureSessions;
import ebb.ledbat.trace.Counters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Endpoints whose connections are all protected by a pre-shared key, over any other starter.
 * Whoever uses them sees connections as always, and only those of peers that have proven the key;
 * what refused peers did is counted here and logged, one line in ten seconds.
 */
public final class SecureStarter implements DriverStarter {
  private static final Logger LOG = LoggerFactory.getLogger(SecureStarter.class);

  private static final SecureRandom SECURE = new SecureRandom();

  private final DriverStarter plain;
  private final KeyRing keys;
  private final String purpose;
  private final WarningLimiter warnings = new WarningLimiter(LOG);
  private final LongAdder peersWithoutKey = new LongAdder();
  private final Map<SecureRefusal, LongAdder> refusals = new EnumMap<>(SecureRefusal.class);

  /**
   * A starter over another.
   *
   * @param purpose what the connections are for; both sides must say the same
   */
  public SecureStarter(DriverStarter plain, PresharedKey key, String purpose) {
    this(plain, new KeyRing(key), purpose);
  }

  /** The same with keys that may change. */
  public SecureStarter(DriverStarter plain, KeyRing keys, String purpose) {
    this.plain = plain;
    this.keys = keys;
    this.purpose = purpose;
    for (SecureRefusal refusal : SecureRefusal.values()) {
      refusals.put(refusal, new LongAdder());
    }
  }

  /** How many peers were refused so far; thread-safe. */
  public long refused(SecureRefusal refusal) {
    LongAdder adder = refusals.get(refusal);
    return adder == null ? 0 : adder.sum();
  }

  /** How many peers that this side connected to did not prove the key; thread-safe. */
  public long peersWithoutKey() {
    return peersWithoutKey.sum();
  }

  @Override
  public EndpointDriver start(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    Protection protection = new Protection(listener, null);
    return protection.over(plain.start(local, config, protection.sessions));
  }

  @Override
  public List<EndpointDriver> startLoops(
      InetSocketAddress local, LedbatConfig config, IntFunction<EndpointListener> listeners)
      throws IOException {
    List<Protection> all = new ArrayList<>();
    for (int i = 0; i < config.loops(); i++) {
      all.add(new Protection(listeners.apply(i), i == 0 ? null : all.get(0).sessions));
    }
    List<EndpointDriver> drivers = plain.startLoops(local, config, loop -> all.get(loop).sessions);
    List<EndpointDriver> secure = new ArrayList<>();
    for (EndpointDriver driver : drivers) {
      secure.add(all.get(secure.size()).over(driver));
    }
    return secure;
  }

  /** What one endpoint has of the key. */
  private final class Protection {
    private final Context context = new Context();
    private final SecureSessions sessions;

    /**
     * @param sibling of the same port; null for the first
     */
    Protection(EndpointListener listener, @Nullable SecureSessions sibling) {
      sessions =
          sibling == null
              ? new SecureSessions(keys, purpose, listener, context)
              : sibling.beside(listener, context);
    }

    EndpointDriver over(EndpointDriver driver) {
      context.drivenBy(driver);
      return new SecureDriver(driver, sessions);
    }
  }

  /** The driver below, once it is there: a socket may deliver before its start has returned. */
  private final class Context implements SecureContext {
    private record Early(long delayMicros, EndpointDriver.Task task) {}

    private final Queue<Early> early = new ArrayDeque<>();
    private volatile @Nullable EndpointDriver driver;

    synchronized void drivenBy(EndpointDriver started) {
      driver = started;
      for (Early waiting : early) {
        started.schedule(waiting.delayMicros, waiting.task);
      }
      early.clear();
    }

    @Override
    public long nowMicros() {
      EndpointDriver current = driver;
      // What a driver with a thread of its own uses.
      return current == null ? MonotonicMicros.CLOCK.getAsLong() : current.nowMicros();
    }

    @Override
    public void schedule(long delayMicros, EndpointDriver.Task task) {
      EndpointDriver current = driver;
      if (current == null) {
        current = keepOrGet(delayMicros, task);
      }
      if (current != null) {
        current.schedule(delayMicros, task);
      }
    }

    private synchronized @Nullable EndpointDriver keepOrGet(
        long delayMicros, EndpointDriver.Task task) {
      if (driver == null) {
        early.add(new Early(delayMicros, task));
      }
      return driver;
    }

    @Override
    public RecordCipher recordCipher() {
      return FastCipher.HERE;
    }

    @Override
    public byte[] freshSecret() {
      byte[] secret = new byte[PresharedKey.BYTES];
      SECURE.nextBytes(secret);
      return secret;
    }

    @Override
    public void notProven(InetSocketAddress remote) {
      peersWithoutKey.increment();
    }

    @Override
    public void refused(InetSocketAddress remote, SecureRefusal refusal) {
      LongAdder adder = refusals.get(refusal);
      if (adder != null) {
        adder.increment();
      }
      warnings.warn(nowMicros(), "connection from {} refused: {}", remote, inWords(refusal));
    }
  }

  private static String inWords(SecureRefusal refusal) {
    return switch (refusal) {
      case NOT_THE_KEY -> "it does not have the key";
      case TOO_LATE -> "it did not prove the key in time";
      case CROWDED_OUT -> "too many others wait to prove the key";
      case GONE -> "it went away before it proved the key";
    };
  }

  /** Opens protected connections; everything else is the driver's below. */
  private record SecureDriver(EndpointDriver below, SecureSessions sessions)
      implements EndpointDriver {
    @Override
    public LedbatConnection connect(
        LedbatEndpoint endpoint,
        InetSocketAddress remote,
        ConnectionListener listener,
        long nowMicros) {
      return sessions.connect(endpoint, remote, listener, nowMicros);
    }

    @Override
    public void execute(Task task) {
      below.execute(task);
    }

    @Override
    public void schedule(long delayMicros, Task task) {
      below.schedule(delayMicros, task);
    }

    @Override
    public long nowMicros() {
      return below.nowMicros();
    }

    @Override
    public Counters counters() {
      return below.counters();
    }

    @Override
    public InetSocketAddress localAddress() {
      return below.localAddress();
    }

    @Override
    public void close() {
      below.close();
    }
  }
}

package ebb.ledbat.kompics;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.SecureStarter;
import ebb.ledbat.secure.KeyRing;
import ebb.ledbat.secure.PresharedKey;
import ebb.ledbat.secure.SecureRefusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentProxy;

/** A {@link SecureStarter} for components, over any other factory. */
public final class SecureDriverFactory implements DriverFactory {
  private final DriverFactory plain;
  private final SecureStarter secure;

  /**
   * A factory over another.
   *
   * @param purpose what the connections are for; both sides must say the same
   */
  public SecureDriverFactory(DriverFactory plain, PresharedKey key, String purpose) {
    this(plain, new KeyRing(key), purpose);
  }

  /** The same with keys that may change. */
  public SecureDriverFactory(DriverFactory plain, KeyRing keys, String purpose) {
    this.plain = plain;
    secure = new SecureStarter(plain, keys, purpose);
  }

  /** The same factory when there is no key. */
  public static DriverFactory ifKeyed(
      DriverFactory plain, @Nullable PresharedKey key, String purpose) {
    return key == null ? plain : new SecureDriverFactory(plain, key, purpose);
  }

  /** How many peers were refused so far; thread-safe. */
  public long refused(SecureRefusal refusal) {
    return secure.refused(refusal);
  }

  /** How many peers that this side connected to did not prove the key; thread-safe. */
  public long peersWithoutKey() {
    return secure.peersWithoutKey();
  }

  @Override
  public void attach(ComponentProxy component) {
    plain.attach(component);
  }

  @Override
  public EndpointDriver start(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    return secure.start(local, config, listener);
  }

  @Override
  public List<EndpointDriver> startLoops(
      InetSocketAddress local, LedbatConfig config, IntFunction<EndpointListener> listeners)
      throws IOException {
    return secure.startLoops(local, config, listeners);
  }
}

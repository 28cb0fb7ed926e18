package ebb.core.kompics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.util.function.Supplier;

/**
 * Makes Kompics' NettyNetwork behave: its constructor switches the JVM to IPv4, and by default it
 * trusts what it receives. Thread-safe. That it needs no UDT is due to the stand-ins in {@link
 * io.netty.channel.udt}.
 */
public final class NettyNetworkSupport {
  private static final String PREFER_IPV4 = "java.net.preferIPv4Stack";

  private NettyNetworkSupport() {}

  /**
   * Runs what constructs a NettyNetwork, guarded, and undoes what its constructor does to the JVM.
   */
  public static synchronized <T> T construct(Supplier<T> constructor) {
    EbbSerializers.install();
    try {
      // The JDK chooses its protocol family once: here, before NettyNetwork forbids IPv6.
      DatagramChannel.open().close();
    } catch (IOException noSocket) {
      throw new UncheckedIOException("no socket can be opened", noSocket);
    }
    String before = System.getProperty(PREFER_IPV4);
    try {
      return constructor.get();
    } finally {
      if (before == null) {
        System.clearProperty(PREFER_IPV4);
      } else {
        System.setProperty(PREFER_IPV4, before);
      }
    }
  }
}

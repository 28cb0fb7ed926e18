package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyOption;
import ebb.core.cli.QlogOption;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.SecureDriverFactory;
import ebb.ledbat.qlog.QlogClock;
import ebb.ledbat.qlog.QlogFile;
import ebb.ledbat.secure.PresharedKey;
import ebb.ledbat.trace.EndpointTrace;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options about the transport that a command has whether it sends or receives. */
public final class EndpointOptions {
  /** IPv4 or IPv6 and UDP; the larger, so that the packet fits either way. */
  private static final int IP_UDP_HEADER_BYTES = 48;

  /** Ethernet's jumbo frames. Loopback takes 64 KiB, which is no faster than this. */
  private static final int MAX_MTU_BYTES = 9_000;

  @Option(
      names = "--mtu",
      paramLabel = "BYTES",
      description =
          "Largest IP packet to send (default: found out by probing, up to "
              + (LedbatConfig.DEFAULT_MAX_DATAGRAM_BYTES + IP_UDP_HEADER_BYTES)
              + ", or "
              + MAX_MTU_BYTES
              + " where the interface towards the peer takes jumbo frames).")
  @Nullable Integer mtu;

  @Mixin KeyOption key = new KeyOption();

  @Mixin QlogOption qlog = new QlogOption();

  /**
   * The drivers that the options ask for: the fastest, with a key if there is one.
   *
   * @param purpose what the connections are for; both sides must say the same
   * @throws EbbException USAGE when there is a key file without a key
   */
  public DriverFactory drivers(String purpose) {
    byte[] bytes = key.key();
    PresharedKey shared = bytes == null ? null : new PresharedKey(bytes);
    return SecureDriverFactory.ifKeyed(Drivers.fastest(), shared, purpose);
  }

  /** Whether the drivers have a key, so that only peers that have proven it are seen. */
  public boolean keyed() {
    return key.given();
  }

  /**
   * Opens the file that is to say what happens to the connections.
   *
   * @param title the command, for people
   * @throws EbbException USAGE when it cannot be written
   */
  public QlogOption.Opened<QlogFile> openQlog(String title) {
    return qlog.open(
        (file, packets, warn) -> QlogFile.create(file, title, QlogClock.MONOTONIC, packets, warn));
  }

  /**
   * The configuration that the options ask for.
   *
   * @param remote whom the command connects to; null where it listens
   * @param trace who watches the connections; null for nobody
   * @param more sets what the command has besides
   * @throws EbbException USAGE when a value is out of range
   */
  public LedbatConfig config(
      @Nullable InetSocketAddress remote,
      @Nullable EndpointTrace trace,
      Consumer<LedbatConfigBuilder> more) {
    try {
      LedbatConfig defaults = LedbatConfig.defaults();
      LedbatConfigBuilder builder = defaults.toBuilder().accepting(remote == null).trace(trace);
      // Buffers of many connections must fit a small heap.
      builder.maxBufferedBytes(
          Math.min(defaults.maxBufferedBytes(), Runtime.getRuntime().maxMemory() / 4));
      if (mtu != null) {
        int datagram = mtu - IP_UDP_HEADER_BYTES;
        builder.maxDatagramBytes(datagram);
        builder.initialDatagramBytes(Math.min(defaults.initialDatagramBytes(), datagram));
        builder.minDatagramBytes(Math.min(defaults.minDatagramBytes(), datagram));
      } else if (remote != null) {
        int largest = Math.min(MAX_MTU_BYTES, RouteMtu.towards(remote)) - IP_UDP_HEADER_BYTES;
        builder.maxDatagramBytes(Math.max(defaults.maxDatagramBytes(), largest));
      }
      more.accept(builder);
      return builder.build();
    } catch (IllegalArgumentException outOfRange) {
      throw new EbbException(ExitCode.USAGE, "" + outOfRange.getMessage());
    }
  }
}

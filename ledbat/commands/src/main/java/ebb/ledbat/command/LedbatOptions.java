package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.QlogOption;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.qlog.QlogFile;
import ebb.ledbat.trace.EndpointTrace;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options about the transport of commands that send. */
public final class LedbatOptions {
  private static final String DEFAULT_CONNECT_TIMEOUT = "15s";

  @Option(
      names = "--max-rate",
      paramLabel = "RATE",
      description = "Send no faster than this, such as 20M for 20 Mbit/s (default: no bound).")
  @Nullable BitRate maxRate;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      defaultValue = DEFAULT_CONNECT_TIMEOUT,
      description = "How long to try to reach the peer (default: ${DEFAULT-VALUE}).")
  Micros connectTimeout = Micros.parse(DEFAULT_CONNECT_TIMEOUT);

  @Mixin ControllerOptions sending = new ControllerOptions();

  @Mixin EndpointOptions endpoint = new EndpointOptions();

  /** See {@link EndpointOptions#drivers}. */
  public DriverFactory drivers(String purpose) {
    return endpoint.drivers(purpose);
  }

  /** See {@link EndpointOptions#keyed}. */
  public boolean keyed() {
    return endpoint.keyed();
  }

  /** See {@link EndpointOptions#openQlog}. */
  public QlogOption.Opened<QlogFile> openQlog(String title) {
    return endpoint.openQlog(title);
  }

  /**
   * The same as {@link #config} for protocols that only Ebb speaks.
   *
   * @throws EbbException USAGE when a value is out of range
   */
  public LedbatConfig ebbOnlyConfig(
      @Nullable InetSocketAddress remote, @Nullable EndpointTrace trace) {
    return config(remote, trace).toBuilder().ebbOnly(true).build();
  }

  /**
   * The configuration that the options ask for.
   *
   * @param remote whom the command connects to; null where it listens
   * @param trace who watches the connections; null for nobody
   * @throws EbbException USAGE when a value is out of range
   */
  public LedbatConfig config(@Nullable InetSocketAddress remote, @Nullable EndpointTrace trace) {
    return endpoint.config(remote, trace, this::apply);
  }

  private void apply(LedbatConfigBuilder builder) {
    sending.applyTo(builder);
    if (maxRate != null) {
      builder.maxRateBytesPerSecond(Math.max(1, maxRate.bytesPerSecond()));
    }
    builder.connectTimeoutMicros(connectTimeout.micros());
  }
}

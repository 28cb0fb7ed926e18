package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.ledbat.command.Addresses;
import ebb.net.echo.EchoCounts;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoReply;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/** What a ping has found so far, for Prometheus to ask for. Thread-safe. */
final class PingMetrics implements AutoCloseable {
  /** Of the histogram: a tenth of a millisecond to ten seconds. */
  private static final double[] BUCKETS = {
    1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10
  };

  private final HTTPServer http;
  private final Histogram roundTrips;
  private final String server;

  private PingMetrics(HTTPServer http, Histogram roundTrips, String server) {
    this.http = http;
    this.roundTrips = roundTrips;
    this.server = server;
  }

  /**
   * Begins to answer.
   *
   * @param server the label of all figures
   * @throws EbbException REFUSED_OR_BUSY when the port is taken
   */
  static PingMetrics serve(
      InetSocketAddress at, String server, EchoLog log, BooleanSupplier connected) {
    PrometheusRegistry registry = new PrometheusRegistry();
    counter(registry, log, server, "transmitted", "Echoes that were sent.", c -> c.transmitted());
    counter(registry, log, server, "received", "Echoes that were answered.", c -> c.received());
    counter(registry, log, server, "late", "Answers after the wait for them.", c -> c.late());
    counter(registry, log, server, "duplicate", "Further answers.", c -> c.duplicates());
    counter(registry, log, server, "reordered", "Answers overtaken.", c -> c.reordered());
    GaugeWithCallback.builder()
        .name("ebb_ping_lost_echoes")
        .help("Echoes that were not answered within the wait, and not since.")
        .labelNames("server")
        .callback(callback -> callback.call((double) log.counts().lost(), server))
        .register(registry);
    GaugeWithCallback.builder()
        .name("ebb_ping_connected")
        .help("1 while there is a session with the server.")
        .labelNames("server")
        .callback(callback -> callback.call(connected.getAsBoolean() ? 1 : 0, server))
        .register(registry);
    Histogram roundTrips =
        Histogram.builder()
            .name("ebb_ping_round_trip")
            .unit(Unit.SECONDS)
            .help("From sending an echo to its answer.")
            .labelNames("server")
            .classicOnly()
            .classicUpperBounds(BUCKETS)
            .register(registry);
    try {
      HTTPServer http =
          HTTPServer.builder()
              .inetAddress(at.getAddress())
              .port(at.getPort())
              .registry(registry)
              .buildAndStart();
      return new PingMetrics(http, roundTrips, server);
    } catch (IOException taken) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "--metrics: cannot listen on " + Addresses.text(at) + ": " + OneLine.of(taken),
          taken);
    }
  }

  private static void counter(
      PrometheusRegistry registry,
      EchoLog log,
      String server,
      String name,
      String help,
      ToLongFunction<EchoCounts> of) {
    CounterWithCallback.builder()
        .name("ebb_ping_" + name)
        .help(help)
        .labelNames("server")
        .callback(callback -> callback.call((double) of.applyAsLong(log.counts()), server))
        .register(registry);
  }

  /** An answer came. */
  void onReply(EchoReply reply) {
    if (!reply.duplicate()) {
      roundTrips.labelValues(server).observe(reply.roundTripMicros() / 1e6);
    }
  }

  /** The port it listens on. */
  int port() {
    return http.getPort();
  }

  @Override
  public void close() {
    http.close();
  }
}

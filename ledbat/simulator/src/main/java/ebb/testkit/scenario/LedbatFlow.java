package ebb.testkit.scenario;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.testkit.host.BulkSender;
import ebb.testkit.host.SimHost;
import ebb.testkit.host.Sink;
import ebb.testkit.host.StreamPattern;
import ebb.testkit.link.ByteSeries;
import ebb.testkit.link.Link;
import ebb.testkit.sim.Simulation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A LEDBAT connection between two simulated hosts, with a source and a checking sink. */
public final class LedbatFlow implements Flow {
  /** Datagrams of a burst. */
  private static final int MAX_SEGMENTS = 64;

  private final LedbatFlowSpec spec;
  private final Simulation sim;
  private final SimHost senderHost;
  private final SimHost receiverHost;
  private final BulkSender source;
  private final Sink sink;
  private @Nullable LedbatConnection connection;
  private @Nullable LedbatConnection receiving;

  LedbatFlow(
      Simulation sim,
      LedbatFlowSpec spec,
      int senderFlow,
      int receiverFlow,
      List<Link> forward,
      List<Link> backward) {
    this.sim = sim;
    this.spec = spec;
    EndpointListener refuseNone = new EndpointListener() {};
    senderHost =
        new SimHost(
            sim,
            senderFlow,
            spec.name() + " sender",
            spec.config(),
            spec.hosts().senderClock(),
            spec.hosts().late(),
            MAX_SEGMENTS,
            refuseNone);
    StreamPattern pattern = new StreamPattern(sim.random(spec.name() + " stream"));
    source = new BulkSender(senderHost, pattern, spec.totalBytes());
    Sink[] theSink = new Sink[1];
    receiverHost =
        new SimHost(
            sim,
            receiverFlow,
            spec.name() + " receiver",
            spec.config(),
            spec.hosts().receiverClock(),
            spec.hosts().late(),
            MAX_SEGMENTS,
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection accepted) {
                accepted.setListener(theSink[0]);
                receiving = accepted;
              }
            });
    sink = new Sink(receiverHost, pattern);
    theSink[0] = sink;
    senderHost.route(receiverHost, forward);
    receiverHost.route(senderHost, backward);
    sim.at(spec.times().startMicros(), this::start);
    if (spec.times().stopMicros() != Long.MAX_VALUE) {
      sim.at(spec.times().stopMicros(), this::stop);
    }
  }

  private void start() {
    connection = senderHost.connect(receiverHost, source);
  }

  private void stop() {
    LedbatConnection running = connection;
    if (running != null && !running.isClosed()) {
      senderHost.run(() -> running.abort(senderHost.nowMicros()));
    }
  }

  /**
   * Replaces the controller, or changes its weight, at a virtual time after the start.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public void switchController(long atMicros, String name) {
    ControllerFactory next = LedbatFlowSpec.controller(name);
    sim.at(
        atMicros,
        () -> {
          LedbatConnection running = connection;
          if (running != null) {
            senderHost.run(() -> running.setController(next, senderHost.nowMicros()));
          }
        });
  }

  public LedbatFlowSpec spec() {
    return spec;
  }

  public SimHost senderHost() {
    return senderHost;
  }

  public SimHost receiverHost() {
    return receiverHost;
  }

  public BulkSender source() {
    return source;
  }

  public Sink sink() {
    return sink;
  }

  /** The sending side's statistics; null before it started. */
  public @Nullable ConnectionStats stats() {
    LedbatConnection started = connection;
    return started == null ? null : started.stats(senderHost.nowMicros());
  }

  /** The receiving side's statistics; null before the connection reached it. */
  public @Nullable ConnectionStats receiverStats() {
    LedbatConnection accepted = receiving;
    return accepted == null ? null : accepted.stats(receiverHost.nowMicros());
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public int number() {
    return senderHost.flow();
  }

  @Override
  public long startMicros() {
    return spec.times().startMicros();
  }

  @Override
  public ByteSeries goodput() {
    return sink.goodput();
  }

  @Override
  public double cwndBytes() {
    ConnectionStats stats = stats();
    return stats == null ? 0 : stats.cwndBytes();
  }

  @Override
  public LimitTimes limits() {
    ConnectionStats stats = stats();
    return stats == null ? LimitTimes.NONE : stats.limits();
  }

  @Override
  public long sentBytes() {
    ConnectionStats stats = stats();
    return stats == null ? 0 : stats.bytesSent() + stats.bytesRetransmitted();
  }

  @Override
  public long resentBytes() {
    ConnectionStats stats = stats();
    return stats == null ? 0 : stats.bytesRetransmitted();
  }
}

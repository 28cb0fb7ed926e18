package ebb.testkit.scenario;

import ebb.testkit.link.ByteSeries;
import ebb.testkit.link.Link;
import ebb.testkit.sim.Simulation;
import ebb.testkit.tcp.TcpFlow;
import java.util.List;

/** A TCP model's flow in a scenario. */
public final class TcpModelFlow implements Flow {
  private final Simulation sim;
  private final TcpFlowSpec spec;
  private final int number;
  private final TcpFlow tcp;

  TcpModelFlow(
      Simulation sim, TcpFlowSpec spec, int number, List<Link> forward, List<Link> backward) {
    this.sim = sim;
    this.spec = spec;
    this.number = number;
    tcp =
        new TcpFlow(
            sim, spec.name(), number, spec.window().get(), spec.options(), forward, backward);
    sim.at(spec.startMicros(), tcp::start);
    if (spec.stopMicros() != Long.MAX_VALUE) {
      sim.at(spec.stopMicros(), tcp::stop);
    }
  }

  public TcpFlow tcp() {
    return tcp;
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public long startMicros() {
    return spec.startMicros();
  }

  @Override
  public ByteSeries goodput() {
    return tcp.goodput();
  }

  @Override
  public double cwndBytes() {
    boolean running = sim.nowMicros() >= spec.startMicros();
    return running ? tcp.window().cwndSegments() * spec.options().segmentIpBytes() : 0;
  }

  @Override
  public long sentBytes() {
    return tcp.segmentsSent() * spec.options().segmentIpBytes();
  }

  @Override
  public long resentBytes() {
    return tcp.segmentsResent() * spec.options().segmentIpBytes();
  }
}

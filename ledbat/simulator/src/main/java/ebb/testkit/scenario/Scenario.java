package ebb.testkit.scenario;

import ebb.testkit.link.Link;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Flows that share one bottleneck: the usual dumbbell. It owns the simulation, the two shared links
 * and the flows; what the outcome should be is the business of {@link Checks} and of tests.
 */
public final class Scenario {
  /** What one processor simulates in a second, at least. */
  public static final double BITS_PER_SECOND_OF_CPU = 3e9;

  private final Simulation sim;
  private final Link bottleneck;
  private final Link back;
  private final List<Flow> flows = new ArrayList<>();
  private final Map<Long, Map<Flow, Sent>> marks = new HashMap<>();
  private int nextFlow = 1;
  private int nextLink = 2;
  private long sendJitterMicros;

  /** All data passes {@code forward}, all acknowledgements {@code backward}. */
  public Scenario(long seed, LinkSpec forward, LinkSpec backward) {
    sim = new Simulation(seed);
    bottleneck = new Link(sim, 0, "bottleneck", forward);
    back = new Link(sim, 1, "back", backward);
  }

  /**
   * A link of the same rate and delay both ways, the buffer given as time at that rate; the way
   * back has a buffer that acknowledgements never fill.
   */
  public static Scenario onLink(
      long seed, long rateBitsPerSecond, long baseRttMicros, long bufferMicros) {
    long buffer = LinkSpec.bytesIn(bufferMicros, rateBitsPerSecond);
    return new Scenario(
        seed,
        LinkSpec.of(rateBitsPerSecond, baseRttMicros / 2, buffer),
        LinkSpec.of(rateBitsPerSecond, baseRttMicros - baseRttMicros / 2, Long.MAX_VALUE));
  }

  /**
   * Flows added from now on delay each packet by up to this much more, uniformly and in order,
   * before the shared link. Without it the drops of a full drop-tail buffer lock into the phase of
   * one flow (Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992);
   * one packet's time on the bottleneck is enough.
   */
  public Scenario withSendJitter(long micros) {
    sendJitterMicros = micros;
    return this;
  }

  public LedbatFlow add(LedbatFlowSpec spec) {
    int sender = nextFlow++;
    int receiver = nextFlow++;
    LedbatFlow flow =
        new LedbatFlow(
            sim,
            spec,
            sender,
            receiver,
            through(bottleneck, spec.name() + " out", spec.accessDelayMicros()),
            through(back, spec.name() + " in", spec.accessDelayMicros()));
    flows.add(flow);
    return flow;
  }

  public TcpModelFlow add(TcpFlowSpec spec) {
    TcpModelFlow flow =
        new TcpModelFlow(
            sim,
            spec,
            nextFlow++,
            through(bottleneck, spec.name() + " out", spec.accessDelayMicros()),
            through(back, spec.name() + " in", spec.accessDelayMicros()));
    flows.add(flow);
    return flow;
  }

  private List<Link> through(Link shared, String name, long accessDelayMicros) {
    if (accessDelayMicros == 0 && sendJitterMicros == 0) {
      return List.of(shared);
    }
    LinkSpec access = LinkSpec.delayOnly(accessDelayMicros).withJitter(sendJitterMicros);
    return List.of(new Link(sim, nextLink++, name, access), shared);
  }

  /** Calls {@code observer} with the virtual time every {@code periodMicros} from now on. */
  public void observe(long periodMicros, LongConsumer observer) {
    sim.after(
        periodMicros,
        () -> {
          observer.accept(sim.nowMicros());
          observe(periodMicros, observer);
        });
  }

  /** What flows have sent up to a time. */
  record Sent(long bytes, long resentBytes) {}

  /** Notes at {@code timeMicros} what flows have sent, for {@link Checks#resentShare}. */
  public void mark(long timeMicros) {
    sim.at(
        timeMicros,
        () -> {
          Map<Flow, Sent> now = new HashMap<>();
          flows.forEach(flow -> now.put(flow, new Sent(flow.sentBytes(), flow.resentBytes())));
          marks.put(timeMicros, now);
        });
  }

  /** What {@code flow} had sent at a time that was marked; at 0 it is nothing. */
  Sent sentAt(long timeMicros, Flow flow) {
    if (timeMicros == 0) {
      return new Sent(0, 0);
    }
    Map<Flow, Sent> all = marks.get(timeMicros);
    if (all == null) {
      throw new IllegalStateException("nobody marked " + timeMicros + " us");
    }
    Sent sent = all.get(flow);
    return sent == null ? new Sent(0, 0) : sent;
  }

  public void runUntil(long timeMicros) {
    sim.runUntil(timeMicros);
  }

  public Simulation sim() {
    return sim;
  }

  public Link bottleneck() {
    return bottleneck;
  }

  public Link back() {
    return back;
  }

  public List<Flow> flows() {
    return List.copyOf(flows);
  }
}

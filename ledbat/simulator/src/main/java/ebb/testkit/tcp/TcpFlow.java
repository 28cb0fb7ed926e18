package ebb.testkit.tcp;

import ebb.testkit.link.ByteSeries;
import ebb.testkit.link.Link;
import ebb.testkit.link.Path;
import ebb.testkit.sim.Simulation;
import java.util.List;

/**
 * One TCP flow as a model: source, sender, receiver and their two paths. No handshake, no flow
 * control, no close.
 */
public final class TcpFlow {
  private final TcpWindow window;
  private final TcpSender sender;
  private final ByteSeries goodput = new ByteSeries();
  private final TcpSourceRun source;

  /**
   * What can be set about a flow.
   *
   * @param segmentIpBytes full segments on the wire, headers included
   * @param delayedAcks an acknowledgement for every second segment or after 40 ms, else for each
   * @param minRtoMicros RFC 6298 says 1 s; kernels use 200 ms
   * @param paced segments leave evenly, at twice the window in a round trip in slow start and at
   *     1.2 times after it; windows that ask for a rate of their own are paced anyway
   * @param source what there is to send
   */
  public record Options(
      int segmentIpBytes, boolean delayedAcks, long minRtoMicros, boolean paced, TcpSource source) {
    public static final Options DEFAULTS =
        new Options(1_500, false, 200_000, false, TcpSource.ENDLESS);

    public Options withDelayedAcks(boolean value) {
      return new Options(segmentIpBytes, value, minRtoMicros, paced, source);
    }

    public Options withPacing(boolean value) {
      return new Options(segmentIpBytes, delayedAcks, minRtoMicros, value, source);
    }

    public Options withSource(TcpSource value) {
      return new Options(segmentIpBytes, delayedAcks, minRtoMicros, paced, value);
    }

    int segmentPayloadBytes() {
      return segmentIpBytes - TcpSegment.HEADER_BYTES;
    }
  }

  /**
   * A flow that has not started.
   *
   * @param name seeds the randomness of its source
   * @param flow its number in links' statistics
   */
  public TcpFlow(
      Simulation sim,
      String name,
      int flow,
      TcpWindow window,
      Options options,
      List<Link> forward,
      List<Link> backward) {
    this.window = window;
    TcpReceiver[] receiver = new TcpReceiver[1];
    sender =
        new TcpSender(
            sim,
            new Path<>(forward, segment -> receiver[0].onSegment(segment)),
            window,
            flow,
            options);
    receiver[0] =
        new TcpReceiver(
            sim,
            new Path<>(backward, sender::onAck),
            flow,
            options.segmentPayloadBytes(),
            options.delayedAcks(),
            goodput);
    source = new TcpSourceRun(sim, options, "source " + name, sender);
  }

  public void start() {
    source.start();
    sender.start();
  }

  /** Stops new data at once; what is outstanding is still repaired. */
  public void stop() {
    source.stop();
    sender.stop();
  }

  /** Payload bytes delivered in order, by virtual time. */
  public ByteSeries goodput() {
    return goodput;
  }

  public TcpWindow window() {
    return window;
  }

  public long segmentsSent() {
    return sender.segmentsSent;
  }

  public long segmentsResent() {
    return sender.segmentsResent;
  }

  public long timeouts() {
    return sender.timeouts;
  }

  /** Times that loss was found by duplicate acknowledgements. */
  public long recoveries() {
    return sender.recoveries;
  }

  public long smoothedRttMicros() {
    return sender.smoothedRttMicros();
  }
}

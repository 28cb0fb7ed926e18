package ebb.net.run;

import ebb.net.client.ServerKind;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.iperf.Iperf3Parameters;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.Mechanism;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One measurement, as its client plans it. Immutable; made by {@link #of}.
 *
 * @param server where its control connection is
 * @param mechanism of the test
 * @param spec what both ends do
 * @param flows how the client's ends are opened
 * @param intervalMicros between samples
 * @param warmUpMicros at the start, not counted
 * @param durationMicros after the warm-up; 0 when the amount ends it
 * @param abrupt whether senders drop at the end what they have not sent; both ends then count
 *     differently
 * @param reservation under which it measures; {@link Token#NONE} for none
 * @param local to connect from; null for any
 * @param key of the server; null for none
 * @param kind whose server it is
 * @param elsewhere where an {@code iperf3 -s} may be when nobody answers there; null for nowhere
 * @param onServer hears of this plan as the server it found made it, before the first sample; on
 *     the run's loop
 * @param clientPort of the first flow, those of the others follow; 0 for any
 * @param receiveTimeoutMicros for so long nothing may come of what the server is to send; 0 for as
 *     long as it likes
 * @param connectTimeoutMillis for the control connection and each flow
 */
public record NetPlan(
    InetSocketAddress server,
    Mechanism mechanism,
    TestSpec spec,
    FlowOpening flows,
    long intervalMicros,
    long warmUpMicros,
    long durationMicros,
    boolean abrupt,
    Token reservation,
    @Nullable InetSocketAddress local,
    @Nullable NetKey key,
    ServerKind kind,
    @Nullable InetSocketAddress elsewhere,
    Consumer<NetPlan> onServer,
    int clientPort,
    long receiveTimeoutMicros,
    long connectTimeoutMillis) {

  /**
   * Whether it is a stream that its time ends: bytes that have not come by then are nobody's, and
   * waiting for them would make it longer than was asked for.
   */
  boolean timedStream() {
    return durationMicros > 0
        && spec.amountBytes() == 0
        && spec.mode() == TestSpec.Mode.STREAMING
        && !mechanism.isDatagrams()
        && !abrupt;
  }

  /** Whether the server is known to be {@code iperf3 -s}. */
  public boolean iperf3() {
    return kind == ServerKind.IPERF3;
  }

  /** The same by another server. */
  NetPlan at(InetSocketAddress other) {
    return with(other, spec, kind);
  }

  /**
   * The same by {@code iperf3 -s}.
   *
   * @throws IllegalArgumentException with one line when iperf3 has no such test
   */
  public NetPlan byIperf3() {
    if (key != null) {
      throw new IllegalArgumentException("iperf3 has no keys");
    }
    if (warmUpMicros % 1_000_000 != 0) {
      throw new IllegalArgumentException("iperf3 leaves out whole seconds (-O)");
    }
    return with(server, Iperf3Parameters.adapted(spec), ServerKind.IPERF3);
  }

  private NetPlan with(InetSocketAddress at, TestSpec other, ServerKind found) {
    return new NetPlan(
        at,
        mechanism,
        other,
        flows,
        intervalMicros,
        warmUpMicros,
        durationMicros,
        abrupt,
        reservation,
        local,
        key,
        found,
        null,
        onServer,
        clientPort,
        receiveTimeoutMicros,
        connectTimeoutMillis);
  }

  /** An interval that no run is as long as: there is one sample, at the end. */
  public static final long NO_SAMPLES = Long.MAX_VALUE / 4;

  private static final long USUAL_CONNECT_MILLIS = 5_000;

  /** Begins one with the mechanism's usual options, one sample at the end, and no warm-up. */
  public static Builder of(InetSocketAddress server, Mechanism mechanism, TestSpec spec) {
    return new Builder(server, mechanism, spec);
  }

  /** The parts by name. Not thread-safe. */
  public static final class Builder {
    private final InetSocketAddress server;
    private final Mechanism mechanism;
    private final TestSpec spec;
    private @Nullable FlowOpening flows;
    private long intervalMicros = NO_SAMPLES;
    private long warmUpMicros;
    private long durationMicros;
    private boolean abrupt;
    private Token reservation = Token.NONE;
    private @Nullable InetSocketAddress local;
    private @Nullable NetKey key;
    private ServerKind kind = ServerKind.EBB;
    private @Nullable InetSocketAddress elsewhere;
    private Consumer<NetPlan> onServer = plan -> {};
    private int clientPort;
    private long receiveTimeoutMicros;
    private long connectTimeoutMillis = USUAL_CONNECT_MILLIS;

    private Builder(InetSocketAddress server, Mechanism mechanism, TestSpec spec) {
      this.server = server;
      this.mechanism = mechanism;
      this.spec = spec;
    }

    public Builder flows(FlowOpening opening) {
      flows = opening;
      return this;
    }

    public Builder intervalMicros(long micros) {
      intervalMicros = micros;
      return this;
    }

    public Builder warmUpMicros(long micros) {
      warmUpMicros = micros;
      return this;
    }

    public Builder durationMicros(long micros) {
      durationMicros = micros;
      return this;
    }

    public Builder abrupt(boolean dropped) {
      abrupt = dropped;
      return this;
    }

    public Builder reservation(Token token) {
      reservation = token;
      return this;
    }

    public Builder local(@Nullable InetSocketAddress address) {
      local = address;
      return this;
    }

    public Builder key(@Nullable NetKey ofServer) {
      key = ofServer;
      return this;
    }

    public Builder kind(ServerKind expected) {
      kind = expected;
      return this;
    }

    public Builder elsewhere(@Nullable InetSocketAddress ofIperf3) {
      elsewhere = ofIperf3;
      return this;
    }

    public Builder onServer(Consumer<NetPlan> hears) {
      onServer = hears;
      return this;
    }

    public Builder clientPort(int first) {
      clientPort = first;
      return this;
    }

    public Builder receiveTimeoutMicros(long micros) {
      receiveTimeoutMicros = micros;
      return this;
    }

    public Builder connectTimeoutMillis(long millis) {
      connectTimeoutMillis = millis;
      return this;
    }

    /**
     * Makes it.
     *
     * @throws IllegalArgumentException with one line when the mechanism cannot do the test
     */
    public NetPlan build() {
      mechanism.check(spec);
      return new NetPlan(
          server,
          mechanism,
          spec,
          flows == null ? mechanism.clientOptions().opening() : flows,
          intervalMicros,
          warmUpMicros,
          durationMicros,
          abrupt,
          reservation,
          local,
          key,
          kind,
          elsewhere,
          onServer,
          clientPort,
          receiveTimeoutMicros,
          connectTimeoutMillis);
    }
  }
}

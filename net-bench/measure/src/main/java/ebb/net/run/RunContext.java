package ebb.net.run;

import ebb.core.time.MicroClock;
import ebb.net.client.ServerLink;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.Latencies;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.ForeignServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the flows of one run have to know.
 *
 * @param port where the server takes them
 */
record RunContext(
    NetPlan plan,
    ServerLink link,
    int port,
    MicroClock clock,
    Latencies latencies,
    RunLoops.Lease lease)
    implements ClientRun {
  @Override
  public TestSpec spec() {
    return plan.spec();
  }

  @Override
  public Token token() {
    return link.token();
  }

  @Override
  public InetSocketAddress server() {
    return new InetSocketAddress(plan.server().getAddress(), port);
  }

  @Override
  public @Nullable InetSocketAddress bound() {
    return plan.local();
  }

  @Override
  public @Nullable InetSocketAddress bound(int stream, boolean sending) {
    int first = plan.clientPort();
    InetSocketAddress given = plan.local();
    if (first == 0) {
      return given;
    }
    int port = first + stream + (!sending && plan.spec().up() ? plan.spec().streams() : 0);
    return given == null
        ? new InetSocketAddress(link.localAddress(), port)
        : new InetSocketAddress(given.getAddress(), port);
  }

  @Override
  public InetAddress localAddress() {
    return link.localAddress();
  }

  @Override
  public long serverMicros(long micros) {
    return plan.iperf3() ? micros : link.serverClock().toServer(micros);
  }

  @Override
  public long connectTimeoutMillis() {
    return plan.connectTimeoutMillis();
  }

  @Override
  public NetLoop loop() {
    return lease.loop();
  }

  @Override
  public @Nullable ForeignServer foreign() {
    return link.foreign();
  }

  @Override
  public <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
    return lease.shared(type, maker);
  }
}

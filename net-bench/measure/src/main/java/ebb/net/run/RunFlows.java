package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.MicroClock;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.flow.LedbatEnd;
import ebb.net.flow.MessageSource;
import ebb.net.flow.Tally;
import ebb.net.flow.TcpEnd;
import ebb.net.run.RunFlow.Figures;
import ebb.net.tcp.TcpCongestion;
import ebb.net.tcp.TcpLoop;
import ebb.net.tcp.TcpSource;
import ebb.net.udp.UdpClientFlow;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Opens a client's flows of whichever protocol, and closes what they need. */
final class RunFlows implements AutoCloseable {
  private final RunPlan plan;
  private final TcpLoop tcp;
  private final RunLoops.Lease lease;
  private final InetAddress localAddress;
  private final MicroClock clock;
  private final Latencies latencies;
  private final List<RunFlow> flows = new ArrayList<>();
  private final List<UdpClientFlow> datagrams = new ArrayList<>();
  private final List<String> facts = new ArrayList<>();
  private @Nullable NettyDriver driver;

  /**
   * None opened yet.
   *
   * @param localAddress this host's on the way to the server
   */
  RunFlows(
      RunPlan plan,
      RunLoops.Lease lease,
      InetAddress localAddress,
      MicroClock clock,
      Latencies latencies) {
    this.plan = plan;
    this.lease = lease;
    this.localAddress = localAddress;
    tcp = lease.tcp();
    this.clock = clock;
    this.latencies = latencies;
  }

  List<RunFlow> flows() {
    return flows;
  }

  List<String> facts() {
    return facts;
  }

  /** Connects all of them; blocks until they are. */
  void open(Token token, int udpPort) throws InterruptedException {
    TestSpec spec = plan.spec();
    openEach(token, udpPort);
    if (spec.mode() == TestSpec.Mode.STOP_AND_WAIT && spec.protocol() != TestSpec.Protocol.LEDBAT) {
      facts.add(TcpLoop.expectingText());
    }
  }

  private void openEach(Token token, int udpPort) throws InterruptedException {
    TestSpec spec = plan.spec();
    for (int stream = 0; stream < spec.streams(); stream++) {
      if (spec.up()) {
        open(stream, true, token, udpPort);
      }
      if (spec.down()) {
        open(stream, false, token, udpPort);
      }
    }
  }

  private void open(int stream, boolean sending, Token token, int udpPort)
      throws InterruptedException {
    switch (plan.spec().protocol()) {
      case TCP -> flows.add(tcp(stream + 1, sending, token));
      case UDP -> flows.add(udp(stream, sending, token, udpPort));
      case LEDBAT -> flows.add(ledbat(stream + 1, sending, token));
    }
  }

  private RunFlow tcp(int stream, boolean sending, Token token) throws InterruptedException {
    TestSpec spec = plan.spec();
    var bootstrap =
        tcp.connecting()
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) plan.connectTimeoutMillis())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    TcpCongestion.set(channel, plan.tcpCongestion());
                  }
                });
    if (spec.windowBytes() > 0) {
      bootstrap.option(ChannelOption.SO_SNDBUF, spec.windowBytes());
      bootstrap.option(ChannelOption.SO_RCVBUF, spec.windowBytes());
    }
    // Nothing is read before the end is there to take it.
    bootstrap.option(ChannelOption.AUTO_READ, false);
    ChannelFuture connecting = bootstrap.connect(plan.server(), plan.local()).await();
    if (!connecting.isSuccess()) {
      throw new EbbException(
          ExitCode.CANNOT_CONNECT,
          "no TCP connection for data: " + connecting.cause().getMessage(),
          connecting.cause());
    }
    Channel channel = connecting.channel();
    TcpEnd end = new TcpEnd(channel, spec, sending, new Tally(), clock, latencies, tcp::expectSoon);
    channel.pipeline().addLast(end);
    Purpose purpose = sending ? Purpose.DATA : Purpose.DATA_DOWN;
    ControlChannel.send(channel, new Hello(ControlMessage.VERSION, purpose, token));
    channel.config().setAutoRead(true);
    if (facts.isEmpty()) {
      facts.add("TCP congestion control here: " + TcpCongestion.of(channel).orElse("unknown"));
    }
    return new RunFlow(stream, sending, end, () -> askTcp(channel));
  }

  private static CompletableFuture<Optional<Figures>> askTcp(Channel channel) {
    CompletableFuture<Optional<Figures>> answer = new CompletableFuture<>();
    channel
        .eventLoop()
        .execute(() -> answer.complete(TcpSource.sampleOf(channel).map(Figures::of)));
    return answer;
  }

  private RunFlow udp(int stream, boolean sending, Token token, int udpPort)
      throws InterruptedException {
    UdpClientFlow flow =
        new UdpClientFlow(
            tcp,
            local(),
            new InetSocketAddress(plan.server().getAddress(), udpPort),
            plan.spec(),
            token,
            stream,
            sending,
            clock,
            latencies,
            plan.connectTimeoutMillis());
    datagrams.add(flow);
    FlowEnd end = await(flow.joined(), "UDP");
    if (facts.isEmpty()) {
      facts.add(sending ? udpSending(flow.gso()) : "UDP datagrams are sent there");
    }
    return new RunFlow(
        stream + 1,
        sending,
        end,
        () -> CompletableFuture.completedFuture(Optional.of(Figures.ofDatagrams(end.limits()))));
  }

  private RunFlow ledbat(int stream, boolean sending, Token token) throws InterruptedException {
    NettyDriver current = driver();
    LedbatEnd end = new LedbatEnd(current, plan.spec(), sending, new Tally(), latencies);
    await(end.connect(plan.server(), token), "LEDBAT");
    if (facts.isEmpty()) {
      facts.add("LEDBAT controller here: " + plan.ledbat().controller());
    }
    return new RunFlow(stream, sending, end, RunFlow.askLedbat(end, current));
  }

  private String udpSending(boolean gso) {
    TestSpec spec = plan.spec();
    if (spec.mode() == TestSpec.Mode.STREAMING && spec.bitsPerSecond() == 0) {
      return gso
          ? "UDP datagrams go to the kernel many in one call (GSO), and are one for the devices that"
              + " can; each is numbered and counted"
          : "UDP datagrams go to the kernel one by one";
    }
    long quantum = MessageSource.quantumMicros(spec);
    return quantum == 0
        ? "UDP datagrams go one by one, each at its time"
        : "UDP datagrams go each for itself, those that are due within " + quantum + " us together";
  }

  private NettyDriver driver() {
    NettyDriver current = driver;
    if (current != null) {
      return current;
    }
    try {
      NettyDriver bound =
          NettyDriver.bind(
              NettyDriverConfig.at(local()).withThreads(lease.ledbat()),
              plan.ledbat(),
              new UnpredictableRandom(),
              new EndpointListener() {});
      driver = bound;
      return bound;
    } catch (BindException taken) {
      throw new EbbException(ExitCode.USAGE, String.valueOf(taken.getMessage()), taken);
    }
  }

  /** Datagrams take the way of the control connection, and their sockets know one family only. */
  private InetSocketAddress local() {
    InetSocketAddress given = plan.local();
    return given != null ? given : new InetSocketAddress(localAddress, 0);
  }

  private <T> T await(CompletableFuture<T> done, String what) throws InterruptedException {
    try {
      return done.get(plan.connectTimeoutMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (TimeoutException silent) {
      throw new EbbException(ExitCode.CANNOT_CONNECT, "no " + what + " flow to the server");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof EbbException known) {
        throw known;
      }
      throw new EbbException(
          ExitCode.INTERNAL, what + ": " + String.valueOf(failed.getCause()), failed);
    }
  }

  @Override
  public void close() {
    flows.forEach(flow -> flow.end.abort());
    NettyDriver current = driver;
    if (current != null) {
      current.close();
    }
    datagrams.forEach(UdpClientFlow::close);
  }
}

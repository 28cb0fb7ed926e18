package ebb.net.tcp;

import ebb.background.BackgroundGroup;
import ebb.background.BackgroundOptions;
import ebb.background.BackgroundTcp;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.client.ConnectFailure;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.TestSpec;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowOpener;
import ebb.net.mechanism.ForeignServer;
import ebb.net.mechanism.ServiceMark;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Connects to the server's port, and says whose connection it is. */
final class TcpOpener implements FlowOpener {
  private static final IntegerUnixChannelOption TCP_MAXSEG =
      new IntegerUnixChannelOption("TCP_MAXSEG", 6, 2);

  private static final IntegerUnixChannelOption TCP_USER_TIMEOUT =
      new IntegerUnixChannelOption("TCP_USER_TIMEOUT", 6, 18);

  private final ClientRun run;
  private final Settings settings;

  /**
   * What the user chose of the connections.
   *
   * @param congestion the kernel's congestion control
   * @param mssBytes the largest segment; 0 for the path's
   * @param sendTimeoutMillis for data that nobody acknowledges; 0 for the system's
   * @param background what the connections share, which then stay in the background; null for
   *     ordinary ones
   */
  record Settings(
      String congestion,
      int mssBytes,
      int sendTimeoutMillis,
      @Nullable BackgroundGroup background) {}

  TcpOpener(ClientRun run, Settings settings) {
    this.run = run;
    this.settings = settings;
  }

  @Override
  public CompletableFuture<FlowEnd> open(int stream, boolean sending) {
    ForeignServer foreign = run.foreign();
    return foreign == null
        ? connect(stream, sending)
        : foreign
            .turn(stream, sending)
            .thenCompose(free -> connect(stream, sending))
            .thenCompose(end -> foreign.connected(stream, sending, end));
  }

  private CompletableFuture<FlowEnd> connect(int stream, boolean sending) {
    TestSpec spec = run.spec();
    var bootstrap =
        run.loop()
            .connecting()
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) run.connectTimeoutMillis())
            // Nothing is read before the end is there to take it.
            .option(ChannelOption.AUTO_READ, false)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    // Before the connection: the first window is its business too.
                    TcpCongestion.set(channel, settings.congestion());
                    BackgroundGroup background = settings.background();
                    if (background != null) {
                      BackgroundTcp.install(channel, BackgroundOptions.in(background));
                    }
                  }
                });
    if (spec.windowBytes() > 0) {
      bootstrap.option(ChannelOption.SO_SNDBUF, spec.windowBytes());
      bootstrap.option(ChannelOption.SO_RCVBUF, spec.windowBytes());
    }
    ServiceMark.of(spec).ifPresent(tos -> bootstrap.option(ChannelOption.IP_TOS, tos));
    if (settings.mssBytes() > 0) {
      bootstrap.option(TCP_MAXSEG, settings.mssBytes());
    }
    if (settings.sendTimeoutMillis() > 0) {
      bootstrap.option(TCP_USER_TIMEOUT, settings.sendTimeoutMillis());
    }
    InetSocketAddress bound = run.bound(stream, sending);
    if (bound != null && bound.getPort() != 0) {
      bootstrap.option(ChannelOption.SO_REUSEADDR, true); // An earlier run's may linger.
    }
    CompletableFuture<FlowEnd> opened = new CompletableFuture<>();
    ChannelFuture connecting = bootstrap.connect(run.server(), bound);
    var unused =
        connecting.addListener(
            connected -> {
              Throwable cause = connected.cause();
              if (cause == null) {
                opened.complete(begin(connecting.channel(), sending));
              } else {
                opened.completeExceptionally(
                    new EbbException(
                        ExitCode.CANNOT_CONNECT,
                        "no TCP connection for data: " + ConnectFailure.words(cause),
                        cause));
              }
            });
    return opened;
  }

  private FlowEnd begin(Channel channel, boolean sending) {
    StreamEnding ending = StreamEnding.atClient(run.spec());
    TcpEnd end =
        new TcpEnd(channel, run.spec(), sending, run.clock(), run.latencies(), run.loop(), ending);
    channel.pipeline().addLast(end);
    ForeignServer foreign = run.foreign();
    if (foreign != null) {
      var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(foreign.greeting()));
      channel.config().setAutoRead(true);
      return end;
    }
    Purpose purpose = sending ? Purpose.DATA : Purpose.DATA_DOWN;
    ControlChannel.send(channel, new Hello(ControlMessage.VERSION, purpose, run.token()));
    channel.config().setAutoRead(true);
    return end;
  }
}

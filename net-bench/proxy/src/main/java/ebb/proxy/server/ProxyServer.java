package ebb.proxy.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A proxy that listens: SOCKS 5 and HTTP on one port. It has one thread, and the threads that look
 * names up. Its methods may be called from any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is waited for, is waited for in time
public final class ProxyServer implements AutoCloseable {
  private static final int BACKLOG = 512;
  private static final long LOOK_MICROS = 200_000;
  private static final int LOOKS_PER_SAMPLE = 5;
  private static final double SAMPLE_SECONDS = LOOK_MICROS * LOOKS_PER_SAMPLE / 1e6;
  private static final long STOP_SECONDS = 2;
  private static final long RETRY_MICROS = 1_000_000;

  private final EventLoopGroup loop;
  private final Core core;
  private final Channel listening;
  private final LivePage page;
  private volatile Usage.Snapshot last = Usage.Snapshot.NOTHING;
  private final AtomicBoolean closed = new AtomicBoolean();
  private int looks;

  private ProxyServer(EventLoopGroup loop, Core core, Channel listening, LivePage page) {
    this.loop = loop;
    this.core = core;
    this.listening = listening;
    this.page = page;
  }

  /**
   * Listens.
   *
   * @param local beyond loopback only with credentials
   * @throws BindException with one line when the port is taken or is not this host's
   * @throws IllegalArgumentException when it would be a proxy for everybody
   */
  public static ProxyServer start(InetSocketAddress local, ProxySettings settings)
      throws IOException, InterruptedException {
    boolean open = !local.getAddress().isLoopbackAddress();
    if (open && settings.credentials() == null) {
      throw new IllegalArgumentException(
          "a proxy that others can reach needs a password: everybody could use it");
    }
    EventLoopGroup loop = Sockets.newLoop();
    Core core = new Core(settings);
    boolean started = false;
    try {
      Channel listening = await(bootstrap(loop, core).bind(local));
      LivePage page = LivePage.open(loop, settings.livePort());
      ProxyServer server = new ProxyServer(loop, core, listening, page);
      page.show(server::snapshot, settings.steering()::describe);
      Set<Integer> ports = new HashSet<>(Set.of(server.address().getPort()));
      page.address().ifPresent(address -> ports.add(address.getPort()));
      core.own = new OwnAddresses(Set.copyOf(ports), open);
      loop.next()
          .scheduleAtFixedRate(server::look, LOOK_MICROS, LOOK_MICROS, TimeUnit.MICROSECONDS);
      started = true;
      listening.config().setAutoRead(true);
      return server;
    } finally {
      if (!started) {
        core.lookups.close();
        stop(loop);
      }
    }
  }

  static Channel await(ChannelFuture bound) throws IOException, InterruptedException {
    bound.await();
    if (bound.isSuccess()) {
      return bound.channel();
    }
    throw bound.cause() instanceof IOException failure
        ? failure
        : new IOException("cannot listen", bound.cause());
  }

  private static ServerBootstrap bootstrap(EventLoopGroup loop, Core core) {
    return new ServerBootstrap()
        .group(loop)
        .channel(Sockets.server())
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.AUTO_READ, false) // Until it knows its own addresses.
        .handler(new AcceptFailures(core))
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Session.NOTHING_WAITS)
        .childOption(ChannelOption.ALLOCATOR, core.buffers)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel client) {
                ReadSizes sizes = new ReadSizes();
                client.config().setRecvByteBufAllocator(sizes);
                Door.open(client, new Session(core, client, sizes));
              }
            });
  }

  /** On the proxy's thread, a few times a second. */
  private void look() {
    long now = core.clock.nowMicros();
    List.copyOf(core.sessions).forEach(session -> session.look(now));
    if (++looks % LOOKS_PER_SAMPLE == 0) {
      core.lookAtTheTime();
      core.usage.sample(SAMPLE_SECONDS);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Where the page is. */
  public Optional<InetSocketAddress> pageAddress() {
    return page.address();
  }

  /** Who uses it for what, and after its end, did. */
  public Usage.Snapshot snapshot() {
    if (loop.next().inEventLoop()) {
      return core.usage.snapshot();
    }
    try {
      Future<Usage.Snapshot> now = loop.next().submit(core.usage::snapshot);
      return now.awaitUninterruptibly().isSuccess() ? now.getNow() : last;
    } catch (RejectedExecutionException ended) {
      return last;
    }
  }

  /** Ends all connections. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    loop.next()
        .submit(
            () -> {
              listening.close();
              List.copyOf(core.sessions)
                  .forEach(
                      session -> {
                        session.closeUpstream();
                        Sockets.reset(session.client());
                      });
              last = core.usage.snapshot();
            })
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    core.lookups.close();
    stop(loop);
  }

  private static void stop(EventLoopGroup loop) {
    loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /** Such as when there are no file descriptors: it is tried again, and told once. */
  private static final class AcceptFailures extends ChannelInboundHandlerAdapter {
    private final Core core;
    private boolean told;

    AcceptFailures(Core core) {
      this.core = core;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
      told = false;
      ctx.fireChannelRead(accepted);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      if (!told) {
        told = true;
        core.note("cannot take a connection: " + Dialer.reason(cause).words());
      }
      ctx.channel().config().setAutoRead(false);
      ctx.executor()
          .schedule(
              () -> ctx.channel().config().setAutoRead(true), RETRY_MICROS, TimeUnit.MICROSECONDS);
    }
  }
}

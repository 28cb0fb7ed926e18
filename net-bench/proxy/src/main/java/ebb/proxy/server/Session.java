package ebb.proxy.server;

import ebb.core.units.Human;
import ebb.proxy.rule.DestinationClass;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client: its connection, the connection to a server that it has at the moment, and by when
 * something has to happen. What it says is the doors' business.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class Session {
  /** Unwritable as soon as anything waits: the strictest back-pressure there is. */
  static final WriteBufferWaterMark NOTHING_WAITS = new WriteBufferWaterMark(1, 1);

  /** How long a client that was refused may take to read why. */
  private static final long FAREWELL_MICROS = 2_000_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final Core core;
  private final Channel client;
  private final ReadGate gate;
  private final ReadSizes sizes;
  private final boolean turnedAway;
  private @Nullable Upstream upstream;
  private @Nullable Dialer dialer;
  private long deadlineMicros;
  private long lastMicros;
  private Runnable onDeadline;

  Session(Core core, Channel client, ReadSizes sizes) {
    this.core = core;
    this.client = client;
    this.sizes = sizes;
    gate = new ReadGate(client, core.clock);
    onDeadline = client::close;
    lastMicros = core.clock.nowMicros();
    deadlineMicros = lastMicros + core.settings.limits().headerMicros();
    Places.Entry entry = core.places.enter(this);
    turnedAway = entry != Places.Entry.IN;
    core.usage.clientCame();
    core.sessions.add(this);
    client.closeFuture().addListener(closed -> ended());
    if (turnedAway) {
      core.note("too many connections at once; one was refused");
    }
    if (entry == Places.Entry.SHUT_OUT) {
      client.close();
    }
  }

  Core core() {
    return core;
  }

  Channel client() {
    return client;
  }

  ReadGate gate() {
    return gate;
  }

  /** There is no place for it; it may be told so. */
  boolean isTurnedAway() {
    return turnedAway;
  }

  private void ended() {
    core.sessions.remove(this);
    core.usage.clientLeft();
    if (dialer != null) {
      dialer.cancel();
    }
  }

  /** Something has to happen within this time, or else. */
  void within(long micros, Runnable orElse) {
    deadlineMicros = core.clock.nowMicros() + micros;
    onDeadline = orElse;
  }

  /** What happens instead when the header is late. */
  void ifLate(Runnable orElse) {
    onDeadline = orElse;
  }

  /** The idle time holds, and nothing else. */
  void withoutDeadline() {
    lastMicros = core.clock.nowMicros();
    deadlineMicros = NEVER;
  }

  /** Now and then. */
  void look(long nowMicros) {
    if (nowMicros >= deadlineMicros) {
      deadlineMicros = NEVER;
      onDeadline.run();
    } else if (deadlineMicros == NEVER && nowMicros - lastMicros >= idleMicros()) {
      Sockets.reset(client);
      closeUpstream();
    }
  }

  private long idleMicros() {
    Limits limits = core.settings.limits();
    return hasEnded(client) || (upstream != null && hasEnded(upstream.channel()))
        ? Math.min(limits.idleMicros(), limits.halfClosedMicros())
        : limits.idleMicros();
  }

  private static boolean hasEnded(Channel side) {
    return ((DuplexChannel) side).isInputShutdown();
  }

  /**
   * Connects to a server. What it sends is not read before its gate is released.
   *
   * @param connected gets the connection, at most once; nobody is called when the client leaves
   */
  void connect(Target target, Consumer<Upstream> connected, Consumer<Refusal> refused) {
    withoutDeadline();
    DestinationClass destinationClass = core.settings.rules().of(target.host(), target.port());
    ReadSizes upstreamSizes = new ReadSizes();
    Bootstrap bootstrap = bootstrap(destinationClass, upstreamSizes);
    Dialer.Answer answer =
        new Dialer.Answer() {
          @Override
          public void connected(Channel channel) {
            dialer = null;
            connected.accept(opened(channel, target, destinationClass, upstreamSizes));
          }

          @Override
          public void refused(Refusal why) {
            dialer = null;
            refused.accept(why);
          }
        };
    dialer =
        Dialer.dial(
            target,
            client.eventLoop(),
            bootstrap,
            core.lookups,
            core.own,
            core.settings.limits().connectMicros(),
            answer);
  }

  private Bootstrap bootstrap(DestinationClass destinationClass, ReadSizes upstreamSizes) {
    return new Bootstrap()
        .group(client.eventLoop())
        .channel(Sockets.client())
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            (int) TimeUnit.MICROSECONDS.toMillis(core.settings.limits().connectMicros()))
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NOTHING_WAITS)
        .option(ChannelOption.RCVBUF_ALLOCATOR, upstreamSizes)
        .option(ChannelOption.ALLOCATOR, core.buffers)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                if (destinationClass.background()) {
                  core.settings.steering().attach(channel, destinationClass);
                }
              }
            });
  }

  private Upstream opened(
      Channel channel, Target target, DestinationClass of, ReadSizes upstreamSizes) {
    HostUse use = core.usage.opened(target.host(), of, core.clock.nowMicros());
    long[] moved = new long[2];
    ReadGate upstreamGate = new ReadGate(channel, core.clock);
    upstreamGate.hold(ReadGate.Hold.STEP);
    channel.pipeline().addLast(upstreamGate);
    List<RateBudget> down = core.down(of);
    List<RateBudget> up = core.up(of);
    upstreamSizes.bound(() -> core.readBytes(down));
    sizes.bound(() -> core.readBytes(up));
    upstreamGate.account(
        bytes -> {
          use.down(bytes);
          moved[0] += bytes;
          lastMicros = core.clock.nowMicros();
        },
        down);
    gate.account(
        bytes -> {
          use.up(bytes);
          moved[1] += bytes;
          lastMicros = core.clock.nowMicros();
        },
        up);
    Upstream opened = new Upstream(channel, upstreamGate, target);
    upstream = opened;
    channel
        .closeFuture()
        .addListener(
            closed -> {
              use.closed(core.clock.nowMicros());
              if (upstream == opened) {
                upstream = null;
              }
              Consumer<String> log = core.settings.log();
              if (log != null) {
                log.accept(line(target, of, moved));
              }
            });
    return opened;
  }

  private static String line(Target target, DestinationClass of, long[] moved) {
    return target.authority(0)
        + " ("
        + of.name()
        + "): "
        + Human.bytes((double) moved[0])
        + " down, "
        + Human.bytes((double) moved[1])
        + " up";
  }

  /** Ends the connection to the server, if there is one. */
  void closeUpstream() {
    if (upstream != null) {
      Sockets.reset(upstream.channel());
    }
  }

  /** Refuses: says one last thing to the client, and ends. */
  void farewell(Object message) {
    core.usage.refused();
    end(message);
  }

  void farewell(byte... message) {
    farewell(Unpooled.wrappedBuffer(message));
  }

  /** Ends when the client has what was written, and waits a moment until it has read that. */
  void bye() {
    end(Unpooled.EMPTY_BUFFER);
  }

  private void end(Object last) {
    closeUpstream();
    if (!client.isActive()) {
      ReferenceCountUtil.release(last);
      return;
    }
    within(FAREWELL_MICROS, client::close);
    client
        .writeAndFlush(last)
        .addListener(
            written -> {
              if (written.isSuccess() && !((DuplexChannel) client).isInputShutdown()) {
                ((DuplexChannel) client).shutdownOutput();
              } else {
                client.close();
              }
            });
    // Closing with something unread would reset the connection, and take the words with it.
    client.pipeline().addFirst(new Drain());
    sizes.bound(() -> ReadSizes.DOOR_BYTES);
    gate.account(bytes -> {}, List.of());
    for (ReadGate.Hold hold : ReadGate.Hold.values()) {
      gate.release(hold);
    }
  }

  /** For those who speak neither protocol. */
  void hangUp() {
    core.usage.refused();
    client.close();
  }

  void say(String ascii) {
    client
        .writeAndFlush(ByteBufUtil.writeAscii(client.alloc(), ascii))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  private static final class Drain extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {}

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {}

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        ctx.close();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}

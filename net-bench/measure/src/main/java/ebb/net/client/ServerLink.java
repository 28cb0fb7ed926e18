package ebb.net.client;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlCodec;
import ebb.net.control.ControlFrames;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Arrived;
import ebb.net.control.ControlMessage.Challenge;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.SentAll;
import ebb.net.control.ControlMessage.Welcome;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.tcp.TcpLoop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client's control connection: opens a session, keeps the clocks together, hands on what the
 * server says has arrived. The methods are for the thread that measures; listeners are called on
 * the TCP loop.
 */
public final class ServerLink implements AutoCloseable {
  private static final int FIRST_PINGS = 10;
  private static final int FIRST_PING_MILLIS = 20;
  private static final int PING_MILLIS = 1_000;

  /** The server pings back and reports ten times a second. */
  private static final long SILENCE_MICROS = 15_000_000;

  private static final TestListener NONE = (atMicros, counts) -> {};

  /** Hears of what arrives, with times on this host's clock. */
  @FunctionalInterface
  public interface ArrivalListener {
    void onArrived(long atMicros, long ledbatBytes, long tcpBytes);
  }

  /** Hears of a test; on the TCP loop. */
  public interface TestListener {
    /** What the server has counted, with the time on this host's clock. */
    void onCounts(long atMicros, Counts counts);
  }

  /**
   * How to be a client.
   *
   * @param shared whether others may measure at the same time
   * @param key to prove to have when asked; null for none
   * @param local to connect from; null for any
   */
  public record As(boolean shared, @Nullable NetKey key, @Nullable InetSocketAddress local) {}

  private final MicroClock clock;
  private final ArrivalListener listener;
  private final As as;
  private final TestListener test;
  private final CompletableFuture<Integer> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Counts> lastCounts = new CompletableFuture<>();
  private final CompletableFuture<Token> welcome = new CompletableFuture<>();
  private final CompletableFuture<ClockSync> synced = new CompletableFuture<>();
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final ClockSync sync = new ClockSync();
  private @Nullable Channel channel;
  private @Nullable Token token;
  private int answers;
  private long heardMicros;

  private ServerLink(MicroClock clock, ArrivalListener listener, As as, TestListener test) {
    this.clock = clock;
    this.listener = listener;
    this.as = as;
    this.test = test;
  }

  /**
   * Opens a session with the server for this client alone and learns the server's clock; blocks
   * until both is done.
   *
   * @param key to prove to have when asked; null for none
   * @throws EbbException CANNOT_CONNECT when nobody or something else answers, REFUSED_OR_BUSY when
   *     the server will not
   */
  public static ServerLink open(
      TcpLoop tcp,
      InetSocketAddress server,
      MicroClock clock,
      @Nullable NetKey key,
      ArrivalListener listener,
      long timeoutMillis)
      throws InterruptedException {
    As alone = new As(false, key, null);
    return open(tcp, server, timeoutMillis, new ServerLink(clock, listener, alone, NONE));
  }

  /** The same for a test, which {@link #begin} describes. */
  public static ServerLink open(
      TcpLoop tcp,
      InetSocketAddress server,
      MicroClock clock,
      As as,
      TestListener test,
      long timeoutMillis)
      throws InterruptedException {
    ServerLink link = new ServerLink(clock, (at, ledbat, tcpBytes) -> {}, as, test);
    return open(tcp, server, timeoutMillis, link);
  }

  private static ServerLink open(
      TcpLoop tcp, InetSocketAddress server, long timeoutMillis, ServerLink link)
      throws InterruptedException {
    boolean opened = false;
    try {
      link.connect(tcp, server, timeoutMillis);
      opened = true;
      return link;
    } finally {
      if (!opened) {
        link.close();
      }
    }
  }

  private void connect(TcpLoop tcp, InetSocketAddress server, long timeoutMillis)
      throws InterruptedException {
    ChannelFuture connecting =
        tcp.connecting()
            .option(
                io.netty.channel.ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, timeoutMillis))
            .handler(new Handler())
            .connect(server, as.local())
            .await();
    if (!connecting.isSuccess()) {
      throw new EbbException(
          ExitCode.CANNOT_CONNECT,
          "cannot connect to " + text(server) + ": " + reason(connecting.cause()),
          connecting.cause());
    }
    Channel connected = connecting.channel();
    channel = connected;
    heardMicros = clock.nowMicros();
    ControlChannel.send(
        connected, as.shared() ? ControlCodec.sharedHello() : ControlCodec.controlHello());
    token = await(welcome, server, timeoutMillis);
    for (int i = 0; i < FIRST_PINGS; i++) {
      schedulePing(connected, (long) i * FIRST_PING_MILLIS);
    }
    await(synced, server, timeoutMillis);
    var pulse =
        connected
            .eventLoop()
            .scheduleAtFixedRate(
                () -> pulse(connected), PING_MILLIS, PING_MILLIS, TimeUnit.MILLISECONDS);
    // The loop may outlive this connection.
    var unused = connected.closeFuture().addListener(closed -> pulse.cancel(false));
  }

  private <T> T await(CompletableFuture<T> answer, InetSocketAddress server, long timeoutMillis)
      throws InterruptedException {
    try {
      return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException silent) {
      throw new EbbException(
          ExitCode.CANNOT_CONNECT,
          text(server) + " took the connection but does not answer as 'ebb net server' does");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof EbbException known) {
        throw known;
      }
      throw new EbbException(
          ExitCode.CANNOT_CONNECT, text(server) + ": " + reason(failed.getCause()), failed);
    }
  }

  private void schedulePing(Channel connected, long delayMillis) {
    var unused =
        connected
            .eventLoop()
            .schedule(
                () -> ControlChannel.send(connected, new Ping(clock.nowMicros())),
                delayMillis,
                TimeUnit.MILLISECONDS);
  }

  private void pulse(Channel connected) {
    if (clock.nowMicros() - heardMicros > SILENCE_MICROS) {
      fail(ExitCode.INCOMPLETE, "the server fell silent");
      ControlChannel.close(connected);
    } else if (connected.isWritable()) {
      ControlChannel.send(connected, new Ping(clock.nowMicros()));
    }
  }

  /**
   * Says what is to be measured; blocks until the server is willing.
   *
   * @return the server's port for plain UDP
   * @throws EbbException REFUSED_OR_BUSY when it is not
   */
  public int begin(TestSpec spec, InetSocketAddress server, long timeoutMillis)
      throws InterruptedException {
    send(new ControlMessage.Begin(spec));
    return await(ready, server, timeoutMillis);
  }

  /** Sends one of the messages of a test. */
  public void send(ControlMessage message) {
    Channel current = channel;
    if (current != null) {
      ControlChannel.send(current, message);
    }
  }

  /** Done when the server's senders have sent all. */
  public CompletableFuture<Void> sentAll() {
    return sentAll;
  }

  /** What the server has counted in the end. */
  public CompletableFuture<Counts> lastCounts() {
    return lastCounts;
  }

  /** This host's address on the way to the server. */
  public InetAddress localAddress() {
    if (channel != null && channel.localAddress() instanceof InetSocketAddress local) {
      return local.getAddress();
    }
    throw new IllegalStateException("not connected");
  }

  /** Of the session. */
  public Token token() {
    Token known = token;
    if (known == null) {
      throw new IllegalStateException("no session");
    }
    return known;
  }

  /** Half the shortest round trip: times of arrival are at most this wrong. */
  public long clockErrorMicros() {
    return sync.errorMicros();
  }

  /** What is added to the server's times to have this host's. */
  public long clockOffsetMicros() {
    return sync.toLocal(0);
  }

  /** Fails with an {@link EbbException} when the session breaks; otherwise never done. */
  public CompletableFuture<Void> lost() {
    return lost;
  }

  /** Says that the session is complete, and closes. */
  public void end() {
    Channel current = channel;
    if (current != null) {
      var unused =
          ControlChannel.sendAndClose(current, new ControlMessage.End())
              .awaitUninterruptibly(PING_MILLIS);
    }
  }

  /** Without {@link #end} the server takes the session for broken. */
  @Override
  public void close() {
    Channel current = channel;
    if (current != null) {
      ControlChannel.close(current);
    }
  }

  private void fail(ExitCode code, String message) {
    EbbException failure = new EbbException(code, message);
    welcome.completeExceptionally(failure);
    synced.completeExceptionally(failure);
    ready.completeExceptionally(failure);
    lost.completeExceptionally(failure);
  }

  private void onMessage(ControlMessage message) {
    long now = clock.nowMicros();
    heardMicros = now;
    if (message instanceof Welcome hello && !welcome.isDone()) {
      welcome.complete(hello.token());
    } else if (message instanceof Pong pong) {
      sync.onAnswer(pong.clientMicros(), pong.serverMicros(), now);
      if (++answers == FIRST_PINGS) {
        synced.complete(sync);
      }
    } else if (message instanceof Arrived arrived && welcome.isDone()) {
      if (synced.isDone()) {
        listener.onArrived(
            sync.toLocal(arrived.serverMicros()), arrived.ledbatBytes(), arrived.tcpBytes());
      }
    } else if (message instanceof Challenge challenge && !welcome.isDone()) {
      NetKey key = as.key();
      if (key == null) {
        fail(ExitCode.REFUSED_OR_BUSY, "the server wants a key (--key-file)");
        close();
      } else {
        send(key.prove(challenge.nonce()));
      }
    } else if (message instanceof Ready willing) {
      ready.complete(willing.udpPort());
    } else if (message instanceof SentAll) {
      sentAll.complete(null);
    } else if (message instanceof Counts counts) {
      test.onCounts(sync.toLocal(counts.serverMicros()), counts);
      if (counts.last()) {
        lastCounts.complete(counts);
      }
    } else if (message instanceof Refused refused) {
      ready.completeExceptionally(new EbbException(ExitCode.REFUSED_OR_BUSY, words(refused)));
      fail(welcome.isDone() ? ExitCode.INCOMPLETE : ExitCode.REFUSED_OR_BUSY, words(refused));
    } else {
      fail(
          welcome.isDone() ? ExitCode.INCOMPLETE : ExitCode.CANNOT_CONNECT,
          "what answers there is not 'ebb net server'");
      close();
    }
  }

  private static String words(Refused refused) {
    String reason = refused.reason().isEmpty() ? refused.refusal().name() : refused.reason();
    return refused.version() == ControlMessage.VERSION
        ? "the server refused: " + reason
        : "the server refused: it speaks version "
            + refused.version()
            + " of the measuring protocol, this is version "
            + ControlMessage.VERSION;
  }

  /** {@code 127.0.0.1:9000}. */
  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private static String reason(@Nullable Throwable cause) {
    if (cause == null) {
      return "unknown reason";
    }
    if (cause instanceof java.net.ConnectException && cause.getMessage() != null) {
      String words = cause.getMessage();
      return words.contains("refused")
          ? "connection refused, no 'ebb net server' listens there"
          : words.contains("timed out") ? "no answer" : words;
    }
    return String.valueOf(cause.getMessage());
  }

  /** The bytes of the connection. */
  private final class Handler extends ChannelInboundHandlerAdapter {
    private final ControlFrames frames = new ControlFrames();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      try {
        for (ControlMessage next = frames.next(in); next != null; next = frames.next(in)) {
          onMessage(next);
        }
      } finally {
        in.release();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      boolean served = welcome.isDone() && !welcome.isCompletedExceptionally();
      fail(
          served ? ExitCode.INCOMPLETE : ExitCode.CANNOT_CONNECT,
          served ? "the server ended the session" : "the connection was closed without an answer");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      ControlChannel.close(context.channel());
    }
  }
}

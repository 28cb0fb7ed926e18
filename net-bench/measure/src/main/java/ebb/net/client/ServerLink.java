package ebb.net.client;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.TerminalText;
import ebb.core.time.MicroClock;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlCodec;
import ebb.net.control.ControlFrames;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Challenge;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.Filler;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.SentAll;
import ebb.net.control.ControlMessage.Welcome;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.iperf.Iperf3Client;
import ebb.net.iperf.Iperf3Wire;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ForeignServer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's control connection: opens a session, keeps the clocks together, hands on what the
 * server says. It lives on its loop: futures are completed and listeners called there; methods may
 * be called on any thread.
 */
public final class ServerLink implements AutoCloseable {
  private static final int END_MILLIS = 1_000;

  /** Hears of what the server has counted, with the time on this host's clock. */
  @FunctionalInterface
  public interface CountsListener {
    void onCounts(long atMicros, Counts counts);
  }

  /**
   * How to call a server.
   *
   * @param purpose a session, or a reservation
   * @param reservation under which a session measures; {@link Token#NONE} for none
   * @param key to prove to have when asked; null for none
   * @param local to connect from; null for any
   * @param timeoutMillis of each step
   */
  public record Call(
      InetSocketAddress server,
      Purpose purpose,
      Token reservation,
      @Nullable NetKey key,
      @Nullable InetSocketAddress local,
      long timeoutMillis) {}

  private final ServerKind expected;

  /** What speaks with {@code iperf3 -s}, where that is expected. */
  private final @Nullable Iperf3Client iperf3;

  private final Call call;
  private final MicroClock clock;
  private final CountsListener listener;
  private final CompletableFuture<Integer> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> lastCounts = new CompletableFuture<>();
  private final CompletableFuture<Token> welcome = new CompletableFuture<>();
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final ClockPulse pulse;
  private volatile @Nullable Channel channel;
  private boolean isIperf3;
  private volatile boolean ending;
  private volatile boolean going;

  private ServerLink(
      Call call,
      MicroClock clock,
      CountsListener listener,
      ServerKind expected,
      @Nullable Iperf3Client iperf3) {
    this.call = call;
    this.expected = expected;
    this.iperf3 = iperf3;
    this.clock = clock;
    pulse = new ClockPulse(clock);
    this.listener = listener;
  }

  /**
   * Opens a session or a reservation and learns the server's clock.
   *
   * @return fails with an {@link EbbException}: CANNOT_CONNECT when nobody or something else
   *     answers, REFUSED_OR_BUSY when the server will not
   */
  public static CompletableFuture<ServerLink> open(
      NetLoop loop, Call call, MicroClock clock, CountsListener listener) {
    return open(loop, call, clock, listener, ServerKind.EBB, null);
  }

  /**
   * The same with {@code iperf3 -s}, or with whichever of the two answers.
   *
   * @param iperf3 what speaks with it; null where only Ebb's server is expected
   */
  public static CompletableFuture<ServerLink> open(
      NetLoop loop,
      Call call,
      MicroClock clock,
      CountsListener listener,
      ServerKind expected,
      @Nullable Iperf3Client iperf3) {
    ServerLink link = new ServerLink(call, clock, listener, expected, iperf3);
    return link.connect(loop)
        .thenCompose(connected -> link.answered(connected, link.welcome))
        .thenCompose(welcomed -> link.learnClock())
        .thenApply(learnt -> link)
        .whenComplete(
            (opened, failure) -> {
              if (failure != null) {
                link.close();
              }
            });
  }

  private CompletableFuture<Channel> connect(NetLoop loop) {
    CompletableFuture<Channel> connected = new CompletableFuture<>();
    ChannelFuture connecting =
        loop.connecting()
            .option(
                io.netty.channel.ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, call.timeoutMillis()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel made) {
                    if (expected == ServerKind.IPERF3 && iperf3 != null) {
                      isIperf3 = true;
                      made.pipeline().addLast(iperf3);
                    }
                    made.pipeline().addLast(new Handler());
                  }
                })
            .connect(call.server(), call.local());
    var unused =
        connecting.addListener(
            done -> {
              if (done.isSuccess()) {
                channel = connecting.channel();
                pulse.heard(clock.nowMicros());
                send(hello());
                send(new Filler());
                connected.complete(connecting.channel());
              } else {
                connected.completeExceptionally(
                    new EbbException(
                        ExitCode.CANNOT_CONNECT,
                        "cannot connect to "
                            + text(call.server())
                            + ": "
                            + ConnectFailure.words(done.cause(), program()),
                        done.cause()));
              }
            });
    return connected;
  }

  private CompletableFuture<Void> learnClock() {
    Channel connected = channel();
    pulse.begin(connected);
    return answered(connected, pulse.known())
        .thenRun(
            () ->
                pulse.goOn(
                    connected,
                    () -> {
                      fail(ExitCode.INCOMPLETE, "the server fell silent");
                      ControlChannel.close(connected);
                    }));
  }

  /** Done with the answer; fails when there is none in time. */
  private <T> CompletableFuture<T> answered(Channel connected, CompletableFuture<T> answer) {
    var deadline =
        connected
            .eventLoop()
            .schedule(
                () ->
                    fail(
                        ExitCode.CANNOT_CONNECT,
                        text(call.server())
                            + " took the connection but does not answer as '"
                            + program()
                            + "' does"),
                call.timeoutMillis(),
                TimeUnit.MILLISECONDS);
    return answer.whenComplete((got, failure) -> deadline.cancel(false));
  }

  /** What the user has to start there. */
  private String program() {
    return isIperf3 ? "iperf3 -s" : "ebb net server";
  }

  /** The server where it is another program's; null for Ebb's own. */
  public @Nullable ForeignServer foreign() {
    return isIperf3 ? iperf3 : null;
  }

  private Hello hello() {
    return new Hello(ControlMessage.VERSION, call.purpose(), call.reservation());
  }

  private Channel channel() {
    Channel connected = channel;
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    return connected;
  }

  /**
   * Says what is to be measured.
   *
   * @return the server's port for the flows; fails with an {@link EbbException}, REFUSED_OR_BUSY
   *     when the server is not willing
   */
  public CompletableFuture<Integer> begin(TestSpec spec) {
    send(new ControlMessage.Begin(spec));
    return answered(channel(), ready);
  }

  /** Sends one of the messages of a test. */
  public void send(ControlMessage message) {
    going |= message instanceof ControlMessage.Go;
    if (message instanceof ControlMessage.Go || message instanceof ControlMessage.Mark) {
      pulse.serverClock().forgetErrors();
    }
    ControlChannel.send(channel(), message);
  }

  /** Done when the server's senders have sent all. */
  public CompletableFuture<Void> sentAll() {
    return sentAll;
  }

  /** Done when the server has said what it has counted in the end. */
  public CompletableFuture<Void> lastCounts() {
    return lastCounts;
  }

  /** This host's address on the way to the server. */
  public InetAddress localAddress() {
    return ((InetSocketAddress) channel().localAddress()).getAddress();
  }

  /** Of the session. */
  public Token token() {
    return welcome.join();
  }

  /** The server's. */
  public ServerClock serverClock() {
    return pulse.serverClock();
  }

  /** Fails with an {@link EbbException} when the session breaks; otherwise never done. */
  public CompletableFuture<Void> lost() {
    return lost;
  }

  /**
   * Says that the session is complete, and closes.
   *
   * @return done when that has been sent, or cannot be
   */
  public CompletableFuture<Void> end() {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    ending = true;
    var unused =
        ControlChannel.sendAndClose(channel(), new ControlMessage.End())
            .addListener(sent -> ended.complete(null));
    return ended.completeOnTimeout(null, END_MILLIS, TimeUnit.MILLISECONDS);
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
    if (ending) {
      return; // The server answers an end by closing, maybe before this side has closed.
    }
    EbbException failure = new EbbException(code, message);
    welcome.completeExceptionally(failure);
    pulse.known().completeExceptionally(failure);
    ready.completeExceptionally(failure);
    lost.completeExceptionally(failure);
  }

  private void onMessage(ControlMessage message) {
    long now = clock.nowMicros();
    pulse.heard(now);
    if (message instanceof Welcome hello && !welcome.isDone()) {
      welcome.complete(hello.token());
    } else if (message instanceof Pong pong) {
      pulse.onAnswer(pong, now);
    } else if (message instanceof Challenge challenge && !welcome.isDone()) {
      NetKey key = call.key();
      if (key == null) {
        fail(ExitCode.REFUSED_OR_BUSY, "the server wants a key (--key-file)");
        close();
      } else {
        send(key.prove(challenge.nonce()));
      }
    } else if (message instanceof Ready willing) {
      ready.complete(willing.port());
    } else if (message instanceof SentAll) {
      sentAll.complete(null);
    } else if (message instanceof Counts counts) {
      listener.onCounts(pulse.serverClock().toLocal(counts.serverMicros()), counts);
      if (counts.last()) {
        lastCounts.complete(null);
      }
    } else if (message instanceof Refused refused) {
      ready.completeExceptionally(new EbbException(ExitCode.REFUSED_OR_BUSY, words(refused)));
      boolean begun =
          refused.refusal() != Refusal.ADDRESS
              && (call.purpose() == Purpose.RESERVATION ? welcome.isDone() : going);
      fail(begun ? ExitCode.INCOMPLETE : ExitCode.REFUSED_OR_BUSY, words(refused));
    } else {
      fail(
          welcome.isDone() ? ExitCode.INCOMPLETE : ExitCode.CANNOT_CONNECT,
          "what answers there is not '" + program() + "'");
      close();
    }
  }

  static String words(Refused refused) {
    // A stranger's words on their way to terminals, tables and files.
    String said = TerminalText.printable(refused.reason());
    String reason = said.isEmpty() ? refused.refusal().name() : said;
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

  /** The bytes of the connection. */
  private final class Handler extends ChannelInboundHandlerAdapter {
    private final ControlFrames frames = new ControlFrames();
    private boolean heard;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      if (!heard && !isIperf3 && Iperf3Wire.beginsAnswer(in.getByte(in.readerIndex()))) {
        heard = true;
        onIperf3(context, in);
        return;
      }
      heard = true;
      try {
        for (ControlMessage next = frames.next(in); next != null; next = frames.next(in)) {
          onMessage(next);
        }
      } finally {
        in.release();
      }
    }

    /** It took what this side said for a cookie. */
    private void onIperf3(ChannelHandlerContext context, ByteBuf in) {
      Iperf3Client theirs = iperf3;
      if (expected == ServerKind.EBB || theirs == null) {
        in.release();
        fail(
            ExitCode.CANNOT_CONNECT,
            text(call.server())
                + " is 'iperf3 -s', with which 'ebb net client' alone measures, streams of TCP"
                + " and UDP");
        close();
        return;
      }
      isIperf3 = true;
      byte[] said = ControlCodec.encode(hello());
      byte[] more = ControlCodec.encode(new Filler());
      theirs.adopt(ByteBuffer.allocate(said.length + more.length).put(said).put(more).array());
      context.pipeline().addFirst(theirs);
      context.pipeline().fireChannelRead(in);
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

package ebb.net.iperf;

import ebb.core.time.MicroClock;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Begin;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.End;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.SentAll;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.ControlMessage.Welcome;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ForeignServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The control connection of a client whose server is {@code iperf3 -s}: the first handler of its
 * channel, which says in iperf3's words what Ebb's client says, and answers in Ebb's what the
 * server says. What iperf3 has no words for it answers itself: there is one clock, and no report
 * before the end. On the run's loop.
 */
public final class Iperf3Client extends Iperf3Translator implements ForeignServer {
  private static final long LOOK_MILLIS = 5;

  private final long omitSeconds;
  private byte[] cookie = Iperf3Wire.cookie();
  private final Iperf3Streams streams;
  private final List<CompletableFuture<Void>> connected = new ArrayList<>();
  private final CompletableFuture<Void> running = new CompletableFuture<>();
  private @Nullable TestSpec spec;
  private boolean welcomed;
  private boolean ended;

  /** Of a run whose first seconds are not counted, by the clock of its flows. */
  public Iperf3Client(long omitSeconds, MicroClock clock) {
    this.omitSeconds = omitSeconds;
    streams = new Iperf3Streams(clock);
  }

  /** Some other words had the place of the cookie, and the server took them for one. */
  public void adopt(byte[] said) {
    cookie = said.clone();
  }

  @Override
  ByteBuf words(ChannelHandlerContext context, ControlMessage said) {
    if (said instanceof Hello) {
      return Unpooled.wrappedBuffer(cookie);
    } else if (said instanceof Begin begin) {
      spec = begin.spec();
      return Iperf3Wire.json(Iperf3Parameters.text(begin.spec(), omitSeconds));
    } else if (said instanceof Go) {
      watchAmount(context);
    } else if (said instanceof Mark) {
      streams.mark();
    } else if (said instanceof Stop) {
      streams.stop();
      return Iperf3Wire.state(Iperf3Wire.TEST_END);
    } else if (said instanceof End) {
      ended = true;
      return Iperf3Wire.state(Iperf3Wire.IPERF_DONE);
    } else if (said instanceof Ping ping) {
      // Not from within the write: who asks may not be ready for the answer.
      context
          .executor()
          .execute(() -> tell(context, new Pong(ping.clientMicros(), ping.clientMicros())));
    }
    return Unpooled.EMPTY_BUFFER;
  }

  @Override
  void onFrame(ChannelHandlerContext context, Iperf3Frames.Frame frame) {
    if (frame instanceof Iperf3Frames.State state) {
      onState(context, state.state());
    } else if (frame instanceof Iperf3Frames.Json json) {
      try {
        tell(context, counts(Iperf3Results.read(json.bytes())));
      } catch (IllegalArgumentException wrong) {
        refused(context, Refusal.MALFORMED, "" + wrong.getMessage());
      }
    } else if (frame instanceof Iperf3Frames.ServerError error) {
      refused(context, Refusal.NOT_ALLOWED, Iperf3Errors.words(error.code()));
    } else if (frame instanceof Iperf3Frames.Wrong wrong) {
      refused(context, Refusal.MALFORMED, "iperf3's protocol does not have " + wrong.why());
    }
  }

  private void onState(ChannelHandlerContext context, int state) {
    switch (state) {
      case Iperf3Wire.PARAM_EXCHANGE -> {
        welcomed = true;
        tell(context, new Welcome(Token.fresh()));
      }
      case Iperf3Wire.CREATE_STREAMS ->
          tell(
              context,
              new Ready(((InetSocketAddress) context.channel().remoteAddress()).getPort()));
      case Iperf3Wire.TEST_RUNNING -> {
        streams.mark();
        running.complete(null);
      }
      case Iperf3Wire.EXCHANGE_RESULTS -> {
        frames.expect(Iperf3Wire.MAX_RESULTS_BYTES);
        var unused = context.writeAndFlush(Iperf3Wire.json(streams.results()));
      }
      case Iperf3Wire.TEST_START, Iperf3Wire.DISPLAY_RESULTS, Iperf3Wire.IPERF_DONE -> {}
      case Iperf3Wire.SERVER_TERMINATE ->
          refused(context, Refusal.ENDING, "the server was terminated");
      case Iperf3Wire.ACCESS_DENIED ->
          refused(context, Refusal.BUSY, "it is busy with another test");
      default -> refused(context, Refusal.MALFORMED, unknown());
    }
  }

  private String unknown() {
    return welcomed
        ? "it says what no version of iperf3 says that Ebb knows"
        : "what answers there is not 'iperf3 -s'";
  }

  private void refused(ChannelHandlerContext context, Refusal refusal, String why) {
    if (!ended) {
      ended = true;
      tell(context, new Refused(ControlMessage.VERSION, refusal, why));
      ControlChannel.close(context.channel());
    }
  }

  /** iperf3's server sends until it is told to end, whatever the amount. */
  private void watchAmount(ChannelHandlerContext context) {
    TestSpec asking = spec;
    if (asking == null || !asking.down() || asking.amountBytes() == 0) {
      return;
    }
    if (streams.receivedBytes() >= asking.amountBytes() * asking.streams()) {
      tell(context, new SentAll());
    } else if (context.channel().isActive()) {
      var unused =
          context
              .executor()
              .schedule(() -> watchAmount(context), LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** What the server counted; its bytes are those after the warm-up. */
  private Counts counts(Iperf3Results results) {
    FlowCounts none = FlowCounts.NONE;
    List<FlowCounts> received = new ArrayList<>(List.of(none));
    List<FlowCounts> sent = new ArrayList<>(List.of(none));
    List<FlowCounts> receivedAtMark = new ArrayList<>(List.of(none));
    List<FlowCounts> sentAtMark = new ArrayList<>(List.of(none));
    long receivingMicros = 0;
    for (Iperf3Results.Stream stream : results.streams()) {
      if (streams.isSending(stream.id())) {
        FlowCounts whole = stream.packets() == 0 ? inMessages(stream.bytes()) : stream.counts();
        received.add(whole);
        receivedAtMark.add(before(whole.messages(), stream.bytes()));
        receivingMicros = Math.max(receivingMicros, stream.micros());
      } else {
        // A sender's packets all left, whatever has come.
        sent.add(
            stream.packets() == 0
                ? inMessages(stream.bytes())
                : none.of(stream.bytes(), stream.packets()));
        sentAtMark.add(before(stream.packets(), stream.bytes()));
      }
    }
    FlowCounts all = FlowCounts.sum(received);
    return new Counts(
        true,
        0,
        all.bytes(),
        receivingMicros,
        all,
        FlowCounts.sum(sent),
        FlowCounts.sum(receivedAtMark),
        FlowCounts.sum(sentAtMark));
  }

  /** Messages are counted with the warm-up, bytes without it. */
  private FlowCounts before(long messages, long bytesAfter) {
    return FlowCounts.NONE.of(0, Math.max(0, messages - inMessages(bytesAfter).messages()));
  }

  /** iperf3 does not tell how many a stream of TCP had. */
  private FlowCounts inMessages(long bytes) {
    TestSpec asking = spec;
    return FlowCounts.NONE.of(bytes, asking == null ? 0 : bytes / asking.messageBytes());
  }

  @Override
  public byte[] greeting() {
    return cookie.clone();
  }

  /** Those to the server come before those from it. */
  private CompletableFuture<Void> at(int stream, boolean sending) {
    TestSpec asking = spec;
    int order = asking != null && !sending && asking.up() ? asking.streams() + stream : stream;
    while (connected.size() <= order) {
      connected.add(new CompletableFuture<>());
    }
    return connected.get(order);
  }

  @Override
  public CompletableFuture<Void> turn(int stream, boolean sending) {
    int order = orderOf(at(stream, sending));
    return order == 0 ? CompletableFuture.completedFuture(null) : connected.get(order - 1);
  }

  private int orderOf(CompletableFuture<Void> flow) {
    for (int i = 0; i < connected.size(); i++) {
      if (connected.get(i) == flow) {
        return i;
      }
    }
    throw new IllegalStateException("no such flow");
  }

  @Override
  public CompletableFuture<FlowEnd> connected(int stream, boolean sending, FlowEnd end) {
    streams.add(end, sending);
    at(stream, sending).complete(null);
    return running.thenApply(begun -> end);
  }
}

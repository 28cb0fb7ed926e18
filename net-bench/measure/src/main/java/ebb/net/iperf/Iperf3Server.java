package ebb.net.iperf;

import ebb.core.time.MicroClock;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Begin;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.End;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.ControlMessage.Welcome;
import ebb.net.flow.FlowEnd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The control connection of an {@code iperf3 -c} at the server: the first handler of its channel,
 * which says to the session what an Ebb client would, and to the client what iperf3's server would.
 * What it may measure, and for how long, is the session's business. On the server's loop.
 */
public final class Iperf3Server extends Iperf3Translator {
  /** A session wants to hear something now and then; iperf3 says nothing while it measures. */
  private static final int PING_SECONDS = 5;

  /** The longest results of a client: those of 256 streams have less. */
  private static final int MAX_RESULTS_BYTES = 1 << 16;

  /** What the session lends. */
  public interface Test {
    /** Those that receive, then those that send. */
    List<FlowEnd> ends();

    /** How many of them receive. */
    int receivers();

    /** Done when all flows of the test are there. */
    CompletableFuture<Void> joined();

    MicroClock clock();
  }

  private final long longestMicros;
  private final Consumer<String> malformed;
  private @Nullable Test test;
  private @Nullable Iperf3Parameters parameters;
  private @Nullable Iperf3Streams streams;
  private @Nullable Future<?> pings;
  private boolean welcomed;
  private boolean stopped;

  /**
   * Of one client.
   *
   * @param longestMicros for a test that an amount ends
   * @param malformed hears why what the client says cannot be
   */
  public Iperf3Server(long longestMicros, Consumer<String> malformed) {
    this.longestMicros = longestMicros;
    this.malformed = malformed;
  }

  /** The session has a test, whose flows may come. */
  public void begin(Test begun) {
    test = begun;
  }

  @Override
  ByteBuf words(ChannelHandlerContext context, ControlMessage said) {
    if (said instanceof Welcome) {
      welcomed = true;
      frames.expect(Iperf3Wire.MAX_PARAMETERS_BYTES);
      pings =
          context
              .executor()
              .scheduleAtFixedRate(
                  () -> tell(context, new Ping(0)), PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
      return Iperf3Wire.state(Iperf3Wire.PARAM_EXCHANGE);
    } else if (said instanceof Ready) {
      awaitFlows(context);
      return Iperf3Wire.state(Iperf3Wire.CREATE_STREAMS);
    } else if (said instanceof Counts counts && counts.last()) {
      frames.expect(MAX_RESULTS_BYTES);
      return Iperf3Wire.state(Iperf3Wire.EXCHANGE_RESULTS);
    } else if (said instanceof Refused refused) {
      return refusal(refused.refusal());
    }
    return Unpooled.EMPTY_BUFFER;
  }

  private ByteBuf refusal(Refusal why) {
    if (!welcomed) {
      return Iperf3Wire.state(Iperf3Wire.ACCESS_DENIED);
    }
    if (why == Refusal.ENDING) {
      return Iperf3Wire.state(Iperf3Wire.SERVER_TERMINATE);
    }
    Iperf3Parameters asked = parameters;
    int code = Iperf3Errors.MESSAGE;
    if (why == Refusal.NOT_ALLOWED && asked != null) {
      boolean tooLong = asked.spec().maxMicros() > longestMicros;
      code = tooLong ? Iperf3Errors.DURATION : Iperf3Errors.TOTAL_RATE;
    } else if (asked == null) {
      code = Iperf3Errors.PARAMETERS;
    }
    return Unpooled.buffer(1 + Iperf3Wire.ERROR_BYTES)
        .writeByte(Iperf3Wire.SERVER_ERROR)
        .writeInt(code)
        .writeInt(0);
  }

  /** iperf3's server has all begin when the last has come. */
  private void awaitFlows(ChannelHandlerContext context) {
    // The session knows its test when this has been said.
    context
        .executor()
        .execute(
            () -> {
              Test begun = test;
              if (begun != null) {
                var unused =
                    begun.joined().thenRunAsync(() -> run(context, begun), context.executor());
              }
            });
  }

  private void run(ChannelHandlerContext context, Test begun) {
    Iperf3Parameters asked = parameters;
    if (asked == null || !context.channel().isActive()) {
      return;
    }
    Iperf3Streams all = new Iperf3Streams(begun.clock());
    List<FlowEnd> ends = begun.ends();
    for (int i = 0; i < ends.size(); i++) {
      all.add(ends.get(i), i >= begun.receivers());
    }
    streams = all;
    var unused =
        context.writeAndFlush(
            Unpooled.wrappedBuffer(
                Iperf3Wire.state(Iperf3Wire.TEST_START),
                Iperf3Wire.state(Iperf3Wire.TEST_RUNNING)));
    tell(context, new Go());
    all.mark();
    if (asked.omitMicros() > 0) {
      var unusedMark =
          context
              .executor()
              .schedule(() -> mark(context, all), asked.omitMicros(), TimeUnit.MICROSECONDS);
    }
  }

  private void mark(ChannelHandlerContext context, Iperf3Streams all) {
    if (!stopped) {
      all.mark();
      tell(context, new Mark());
    }
  }

  @Override
  void onFrame(ChannelHandlerContext context, Iperf3Frames.Frame frame) {
    if (frame instanceof Iperf3Frames.Json json) {
      onJson(context, json.bytes());
    } else if (frame instanceof Iperf3Frames.State state) {
      onState(context, state.state());
    } else if (frame instanceof Iperf3Frames.Wrong wrong) {
      malformed.accept("iperf3's protocol does not have " + wrong.why());
    } else {
      malformed.accept("a client that sends a server's errors");
    }
  }

  private void onJson(ChannelHandlerContext context, byte[] json) {
    if (parameters != null) {
      // What the client counted it shows itself.
      Iperf3Streams counted = streams;
      if (counted != null) {
        var unused =
            context.writeAndFlush(
                Unpooled.wrappedBuffer(
                    Iperf3Wire.json(counted.results()),
                    Iperf3Wire.state(Iperf3Wire.DISPLAY_RESULTS)));
      }
      return;
    }
    try {
      Iperf3Parameters asked = Iperf3Parameters.read(json, longestMicros);
      parameters = asked;
      tell(context, new Begin(asked.spec()));
    } catch (IllegalArgumentException wrong) {
      malformed.accept("" + wrong.getMessage());
    }
  }

  private void onState(ChannelHandlerContext context, int state) {
    Iperf3Streams running = streams;
    if (state == Iperf3Wire.TEST_END && running != null && !stopped) {
      stopped = true;
      running.stop();
      tell(context, new Stop());
    } else if (state == Iperf3Wire.IPERF_DONE && stopped) {
      tell(context, new End());
    } else if (state == Iperf3Wire.CLIENT_TERMINATE) {
      malformed.accept("the client was terminated");
    } else {
      malformed.accept("a state out of turn: " + state);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Future<?> pinging = pings;
    if (pinging != null) {
      pinging.cancel(false);
    }
    context.fireChannelInactive();
  }
}

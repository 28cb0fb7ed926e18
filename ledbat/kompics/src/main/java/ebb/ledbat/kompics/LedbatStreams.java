package ebb.ledbat.kompics;

import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/**
 * Byte streams over LEDBAT as a Kompics port, with back-pressure both ways. {@code
 * LedbatStreamsComponent} provides it.
 *
 * <p>Sending: {@link Connected} and {@link Accepted} carry a credit in bytes. A user may have at
 * most that many bytes outstanding, that is given in {@link Write} and not yet returned by {@link
 * Written}. Receiving: nothing is delivered until {@link Demand} asked for it; {@link Data} never
 * exceeds the sum of demands. Chunks should be large (64 KiB is good): one event per packet is
 * never needed. A user with threads of its own, for files or pipes, takes the bytes off the port
 * altogether: {@link StreamHandle}.
 *
 * <p>Kompics shows an indication to every component on the port, so a user ignores stream ids that
 * are not its own.
 */
public final class LedbatStreams extends PortType {
  private static final AtomicLong NEXT_STREAM_ID = new AtomicLong(1);

  {
    request(Connect.class);
    request(Write.class);
    request(Demand.class);
    request(Finish.class);
    request(Abort.class);
    request(Configure.class);
    request(SetController.class);
    request(Sample.class);
    indication(Bound.class);
    indication(BindFailed.class);
    indication(Connected.class);
    indication(ConnectFailed.class);
    indication(Accepted.class);
    indication(Written.class);
    indication(Acked.class);
    indication(Data.class);
    indication(PeerFinished.class);
    indication(Closed.class);
    indication(Sampled.class);
  }

  /** A stream id that no other stream of this process has. */
  public static long newStreamId() {
    return NEXT_STREAM_ID.getAndIncrement();
  }

  /** Opens a stream; {@code streamId} comes from {@link #newStreamId()}. */
  public record Connect(long streamId, InetSocketAddress remote) implements KompicsEvent {}

  /** Sends the buffer's remaining bytes; the buffer must not be changed afterwards. */
  public record Write(long streamId, ByteBuffer bytes) implements KompicsEvent {}

  /** Allows {@code bytes} more bytes of {@link Data}. */
  public record Demand(long streamId, long bytes) implements KompicsEvent {}

  /** Half-close: a FIN follows the bytes written so far. */
  public record Finish(long streamId) implements KompicsEvent {}

  /** Drops the stream at once with a RESET. */
  public record Abort(long streamId) implements KompicsEvent {}

  /** Changes TARGET (1..100,000 us) and the rate bound (bytes a second, 0 for none). */
  public record Configure(long streamId, long targetDelayMicros, long maxRateBytesPerSecond)
      implements KompicsEvent {}

  /**
   * Replaces the congestion controller of what this side sends, or changes its weight: {@code
   * dtl:0} gives way, {@code dtl:4} takes what four TCP connections would.
   */
  public record SetController(long streamId, ControllerFactory factory) implements KompicsEvent {
    /**
     * One of Ebb's own.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public SetController(long streamId, String name) {
      this(streamId, CongestionControllers.byName(name));
    }
  }

  /** Asks for a {@link Sampled}. */
  public record Sample(long streamId) implements KompicsEvent {}

  /** The provider's socket is bound; comes once, after start. */
  public record Bound(InetSocketAddress local) implements KompicsEvent {}

  /** The provider's socket could not be bound; {@code reason} is one line. */
  public record BindFailed(String reason) implements KompicsEvent {}

  /** The peer answered; up to {@code creditBytes} may be outstanding. */
  public record Connected(
      long streamId, InetSocketAddress remote, long creditBytes, StreamHandle stream)
      implements KompicsEvent {}

  /** A {@link Connect} came to nothing. */
  public record ConnectFailed(long streamId, InetSocketAddress remote, CloseReason reason)
      implements KompicsEvent {}

  /** A peer opened a stream. Whoever wants it asks for data with {@link Demand}. */
  public record Accepted(
      long streamId, InetSocketAddress remote, long creditBytes, StreamHandle stream)
      implements KompicsEvent {}

  /** {@code bytes} of credit are back: they are in the transport's own send buffer. */
  public record Written(long streamId, long bytes) implements KompicsEvent {}

  /** The peer's transport has acknowledged {@code totalBytes} since the stream began. */
  public record Acked(long streamId, long totalBytes) implements KompicsEvent {}

  /** Received bytes, in order; read-only and never changed afterwards. */
  public record Data(long streamId, ByteBuffer bytes) implements KompicsEvent {}

  /** All data was delivered and the peer will send no more. */
  public record PeerFinished(long streamId) implements KompicsEvent {}

  /**
   * The last event of a stream that was connected or accepted; comes exactly once. A stream that
   * {@link CloseReason#FINISHED} first delivers all that was sent to it, so its user asks for the
   * rest with {@link Demand} or lets it go with {@link Abort}. With any other reason what was not
   * asked for yet is dropped. {@link CloseReason#MISUSED} means that the user wrote beyond its
   * credit or after {@link Finish}.
   */
  public record Closed(long streamId, CloseReason reason, ConnectionStats stats)
      implements KompicsEvent {}

  /** Answer to {@link Sample}; none comes for a stream that is gone. */
  public record Sampled(long streamId, ConnectionStats stats) implements KompicsEvent {}
}

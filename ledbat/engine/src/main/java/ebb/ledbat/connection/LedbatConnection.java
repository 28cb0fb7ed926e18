package ebb.ledbat.connection;

import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One uTP connection as an application sees it: a reliable byte stream each way. Not thread-safe:
 * every call must be made in the context of the endpoint's driver.
 */
public interface LedbatConnection {
  InetSocketAddress remote();

  /** Whether this side opened it. */
  boolean isInitiator();

  /** Replaces the listener, for accepted connections. */
  void setListener(ConnectionListener listener);

  /**
   * Takes as many bytes of {@code source} as the send buffer has room for, copying them; moves its
   * position.
   *
   * @return the number taken, 0 when there is no room (then {@code onWritable} will be called) or
   *     when the connection no longer sends
   */
  int write(ByteBuffer source, long nowMicros);

  /**
   * As {@link #write}, for bytes that will never change again: where {@code source} shows its array
   * and enough of them are left, they are not copied but read from there until they are
   * acknowledged.
   */
  default int writeShared(ByteBuffer source, long nowMicros) {
    return write(source, nowMicros);
  }

  /**
   * Has {@code writer} put bytes straight into the send buffer, for who makes them anyway: nothing
   * is copied. It is given a buffer with an array, whose position it moves.
   *
   * @param leastBytes the writer is only called with so much room
   * @return the number that it put there; 0 when there is no such room in one piece, which nothing
   *     will be told of ({@link #write} goes on then), or when the connection no longer sends
   */
  default int writeInPlace(int leastBytes, Consumer<ByteBuffer> writer, long nowMicros) {
    return 0;
  }

  /** Room in the send buffer; 0 after finish, abort or close. */
  int writableBytes();

  /**
   * Copies received bytes, in order, to {@code target} as far as it has room.
   *
   * @return the number copied
   */
  int read(ByteBuffer target, long nowMicros);

  /** Bytes that read would give now. */
  int readableBytes();

  /** Nothing more will be written: a FIN follows the last byte. The other direction stays open. */
  void finish(long nowMicros);

  /** Gives up at once: ST_RESET is sent, unsent and unread bytes are dropped. */
  void abort(long nowMicros);

  boolean isClosed();

  /** TARGET for the data this side sends, 1..100,000 microseconds. */
  void setTargetDelayMicros(long targetDelayMicros);

  /**
   * Replaces the congestion controller of the data this side sends, or changes the weight of the
   * one there is: {@code dtl:0} gives way, {@code dtl:4} takes what four TCP connections would. The
   * window stays as it is at that moment.
   *
   * @param factory one of {@link CongestionControllers}, or the caller's own
   */
  void setController(ControllerFactory factory, long nowMicros);

  /**
   * The same by the name of one of Ebb's own.
   *
   * @throws IllegalArgumentException when there is none of that name; nothing is changed
   */
  default void setController(String name, long nowMicros) {
    setController(CongestionControllers.byName(name), nowMicros);
  }

  /** Upper bound on the sending rate in payload bytes a second; 0 is no bound. */
  void setMaxRateBytesPerSecond(long bytesPerSecond);

  /**
   * Upper bound on what the peer sends, in payload bytes a second; 0 is no bound. What the peer was
   * given before it may still send, which without a bound is what the receive buffer had room for.
   */
  default void setReceiveMaxRateBytesPerSecond(long bytesPerSecond) {}

  /**
   * Changes TARGET of the controller for what comes in, at least 1 microsecond, at most {@link
   * ebb.ledbat.congestion.LedbatParameters#MAX_TARGET_DELAY_MICROS}. A connection that has none
   * gets one from here on, of the kind that the configuration names for what is sent.
   */
  default void setReceiveTargetDelayMicros(long targetDelayMicros) {}

  ConnectionStats stats(long nowMicros);

  /** A place for the application's own object. */
  @Nullable Object attachment();

  void setAttachment(@Nullable Object attachment);
}

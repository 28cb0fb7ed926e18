package ebb.ledbat.kompics;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.SerializationFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;

/**
 * Keeps from NettyNetwork what it would lose: it says SENT of a message that its peer's decoder
 * refuses for its length, drops the connection with it, and prints stack traces for what cannot be
 * serialised. So each message is written once for trial, which costs little beside Snappy.
 */
final class TcpGate {
  /** The longest frame that NettyNetwork reads, with its two bytes of length. */
  private static final int MAX_FRAME_BYTES = 65_532;

  private static final int LENGTH_BYTES = 2;

  /** An identifier, a kind and a UUID stand before a message whose delivery is asked for. */
  private static final int REQUEST_BYTES = 18;

  /** The largest message, as its serializer writes it. */
  static final int MAX_MESSAGE_BYTES = MAX_FRAME_BYTES - LENGTH_BYTES - REQUEST_BYTES;

  private final ByteBuf trial = Unpooled.buffer(1_024, MAX_MESSAGE_BYTES);

  /** Why the message cannot go by TCP, one line; null when it can. */
  @Nullable String refusal(Msg<?, ?> message, MessageNotify.@Nullable Req request) {
    trial.clear();
    try {
      int size = EbbSerializers.encode(message, trial);
      if (request != null) {
        request.injectSize(size, System.nanoTime());
      }
      return null;
    } catch (SerializationFailure failure) {
      return String.valueOf(failure.getMessage());
    }
  }
}

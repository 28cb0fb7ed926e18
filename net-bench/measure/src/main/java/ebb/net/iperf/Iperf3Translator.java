package ebb.net.iperf;

import ebb.net.control.ControlCodec;
import ebb.net.control.ControlFrames;
import ebb.net.control.ControlMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Stands first on a control connection whose other side speaks iperf3's protocol, so that this side
 * need not. Which words stand for which is the two roles' business. On the channel's loop.
 */
abstract sealed class Iperf3Translator extends ChannelDuplexHandler
    permits Iperf3Client, Iperf3Server {
  /** What the other side says. */
  final Iperf3Frames frames = new Iperf3Frames();

  private final ControlFrames own = new ControlFrames();

  /** The other side's words for what this one says; empty where it has none. */
  abstract ByteBuf words(ChannelHandlerContext context, ControlMessage said);

  /** The other side said something. */
  abstract void onFrame(ChannelHandlerContext context, Iperf3Frames.Frame frame);

  /** Lets this side hear what an Ebb would have said. */
  static void tell(ChannelHandlerContext context, ControlMessage message) {
    context.fireChannelRead(Unpooled.wrappedBuffer(ControlCodec.encode(message)));
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    ByteBuf in = (ByteBuf) message;
    ByteBuf out;
    try {
      ControlMessage said = own.next(in);
      out = said == null ? Unpooled.EMPTY_BUFFER : words(context, said);
    } finally {
      in.release();
    }
    var unused = context.write(out, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      Iperf3Frames.Frame next = frames.next(in);
      while (next != null) {
        onFrame(context, next);
        next = frames.next(in);
      }
    } finally {
      in.release();
    }
  }
}

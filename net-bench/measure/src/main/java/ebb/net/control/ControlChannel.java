package ebb.net.control;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/** Messages on their way to a channel; what became of them its owner hears as the channel's end. */
public final class ControlChannel {
  private ControlChannel() {}

  public static void send(Channel channel, ControlMessage message) {
    var unused = write(channel, message);
  }

  /** The last message: the channel is closed when it has been sent. */
  public static ChannelFuture sendAndClose(Channel channel, ControlMessage message) {
    return write(channel, message).addListener(ChannelFutureListener.CLOSE);
  }

  public static void close(Channel channel) {
    var unused = channel.close();
  }

  private static ChannelFuture write(Channel channel, ControlMessage message) {
    return channel.writeAndFlush(Unpooled.wrappedBuffer(ControlCodec.encode(message)));
  }
}

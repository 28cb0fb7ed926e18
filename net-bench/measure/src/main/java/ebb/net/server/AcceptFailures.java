package ebb.net.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Lets no failure to accept be repeated at once, nor be logged by everybody's default. */
final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private static final long PAUSE_MILLIS = 1_000;

  private final Consumer<String> listener;

  /**
   * Of one listening channel.
   *
   * @param listener hears why, at most once a second
   */
  AcceptFailures(Consumer<String> listener) {
    this.listener = listener;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Channel channel = context.channel();
    if (channel.config().isAutoRead()) {
      channel.config().setAutoRead(false);
      var unused =
          context
              .executor()
              .schedule(
                  () -> channel.config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      listener.accept(String.valueOf(cause.getMessage()));
    }
  }
}

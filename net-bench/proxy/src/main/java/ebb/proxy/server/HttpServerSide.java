package ebb.proxy.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;

/** The server's side of requests by HTTP: hands responses to the {@link HttpDoor} it serves. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class HttpServerSide extends ChannelInboundHandlerAdapter {
  private final Upstream upstream;
  private final HttpDoor door;

  private HttpServerSide(Upstream upstream, HttpDoor door) {
    this.upstream = upstream;
    this.door = door;
  }

  static void join(Upstream upstream, HttpDoor door) {
    HttpDecoderConfig config =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(Limits.LINE_BYTES)
            .setMaxHeaderSize(Limits.HEADER_BYTES)
            .setMaxChunkSize(Integer.MAX_VALUE);
    upstream
        .channel()
        .pipeline()
        .addLast(new HttpClientCodec(config, false, false), new HttpServerSide(upstream, door));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpObject part) {
      door.respond(part);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    door.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    door.serverWritability(upstream);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      door.serverEnded(upstream);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    door.serverEnded(upstream);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    door.serverEnded(upstream);
  }
}

package ebb.proxy.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5ServerEncoder;

/** Tells by the first byte what a client speaks, and makes way for the door of that. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class Door extends ChannelInboundHandlerAdapter {
  /** The name under which each door puts what reads requests. */
  static final String DECODER = "decoder";

  private static final int SOCKS4 = 4;
  private static final int SOCKS5 = 5;

  /** SOCKS 4: "request rejected or failed", and six bytes that nobody reads. */
  private static final byte[] SOCKS4_REFUSAL = {0, 91, 0, 0, 0, 0, 0, 0};

  private final Session session;

  private Door(Session session) {
    this.session = session;
  }

  static void open(Channel client, Session session) {
    client.pipeline().addLast(session.gate(), new Door(session));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    ByteBuf bytes = (ByteBuf) message;
    int first = bytes.getUnsignedByte(bytes.readerIndex());
    ChannelPipeline pipeline = ctx.pipeline();
    if (first == SOCKS5) {
      pipeline.addLast(Socks5ServerEncoder.DEFAULT);
      pipeline.addLast(DECODER, new Socks5InitialRequestDecoder());
      pipeline.addLast(new SocksDoor(session));
    } else if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')) {
      HttpDecoderConfig config =
          new HttpDecoderConfig()
              .setMaxInitialLineLength(Limits.LINE_BYTES)
              .setMaxHeaderSize(Limits.HEADER_BYTES)
              .setMaxChunkSize(Integer.MAX_VALUE);
      pipeline.addLast(DECODER, new HttpRequestDecoder(config));
      HttpResponses responses = new HttpResponses();
      pipeline.addLast(responses, new HttpDoor(session, responses));
    } else {
      bytes.release();
      if (first == SOCKS4) {
        session
            .core()
            .note("a client speaks SOCKS 4; it was refused (SOCKS 5 and HTTP are spoken)");
        session.farewell(SOCKS4_REFUSAL);
      } else {
        session.core().note("a client speaks neither SOCKS 5 nor HTTP; it was refused");
        session.hangUp();
      }
      return;
    }
    pipeline.remove(this);
    ctx.fireChannelRead(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      ctx.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}

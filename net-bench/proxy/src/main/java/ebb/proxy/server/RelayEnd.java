package ebb.proxy.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of two connections that are joined: bytes, the end of a direction, and resets go to the
 * other as they are. Nothing is read here while the other has something to write.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class RelayEnd extends ChannelInboundHandlerAdapter {
  private final DuplexChannel own;
  private final DuplexChannel other;
  private final ReadGate otherGate;

  private @Nullable RelayEnd mate;

  /** Everything has come that ever will. */
  private boolean inputEnded;

  /** The other side's end has been passed on. */
  private boolean outputEnded;

  private RelayEnd(Channel own, Channel other, ReadGate otherGate) {
    this.own = (DuplexChannel) own;
    this.other = (DuplexChannel) other;
    this.otherGate = otherGate;
  }

  /** Joins two connections. Nothing may be lost that was read before: the caller writes it. */
  static void join(Channel client, ReadGate clientGate, Channel server, ReadGate serverGate) {
    RelayEnd clientEnd = new RelayEnd(client, server, serverGate);
    RelayEnd serverEnd = new RelayEnd(server, client, clientGate);
    clientEnd.mate = serverEnd;
    serverEnd.mate = clientEnd;
    client.pipeline().addLast(clientEnd);
    server.pipeline().addLast(serverEnd);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    other.write(message, other.voidPromise());
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    other.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    otherGate.follow(own);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      RelayEnd there = Objects.requireNonNull(mate);
      // Behind everything that has been written.
      other
          .writeAndFlush(Unpooled.EMPTY_BUFFER)
          .addListener(written -> there.endOutput(written.isSuccess()));
      closeWhenDone();
    }
    super.userEventTriggered(ctx, event);
  }

  private void endOutput(boolean allWritten) {
    if (allWritten) {
      own.shutdownOutput()
          .addListener(
              shut -> {
                outputEnded = true;
                closeWhenDone();
              });
    }
  }

  private void closeWhenDone() {
    if (inputEnded && outputEnded) {
      own.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // A reset, mostly; whatever it is, the other side must not take this for an orderly end.
    Sockets.reset(own);
    Sockets.reset(other);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    if (!(inputEnded && outputEnded)) {
      Sockets.reset(other);
    }
    super.channelInactive(ctx);
  }

  /** What was read before there was another side. */
  static void write(Channel to, Iterable<ByteBuf> early) {
    early.forEach(bytes -> to.write(bytes, to.voidPromise()));
    to.flush();
  }
}

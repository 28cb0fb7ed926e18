package ebb.net.server;

import ebb.net.control.ControlChannel;
import ebb.net.control.ControlFrames;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection to a server: waits a little for its first message, and is then the session's
 * control connection or bytes to be counted.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter {
  private static final int HELLO_SECONDS = 5;

  private final NetServer server;
  private final ControlFrames frames = new ControlFrames();
  private boolean admitted;
  private boolean ended;
  private @Nullable Future<?> deadline;
  private @Nullable Session session;
  private boolean counting;

  ServerConnection(NetServer server) {
    this.server = server;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    admitted = server.admit();
    if (!admitted) {
      server.stranger();
      ControlChannel.close(context.channel());
      return;
    }
    deadline =
        context
            .executor()
            .schedule(
                () -> {
                  server.stranger();
                  ControlChannel.close(context.channel());
                },
                HELLO_SECONDS,
                TimeUnit.SECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      Session current = session;
      if (counting && current != null) {
        current.onTcpBytes(in.readableBytes());
        return;
      }
      while (!ended && !counting) {
        ControlMessage next = frames.next(in);
        if (next == null) {
          return;
        }
        onMessage(context, next);
      }
      if (counting && session != null) {
        session.onTcpBytes(in.readableBytes());
      }
    } finally {
      in.release();
    }
  }

  private void onMessage(ChannelHandlerContext context, ControlMessage message) {
    if (session != null) {
      session.onMessage(message);
      return;
    }
    Future<?> waiting = deadline;
    if (waiting != null) {
      waiting.cancel(false);
    }
    if (!(message instanceof Hello hello)) {
      // Whoever it is, it is no client: no answer.
      ended = true;
      server.stranger();
      ControlChannel.close(context.channel());
    } else if (hello.version() != ControlMessage.VERSION) {
      refuse(
          context,
          Refusal.VERSION,
          "this server speaks version "
              + ControlMessage.VERSION
              + " of the measuring protocol, the client version "
              + hello.version());
    } else if (hello.purpose() == Purpose.CONTROL) {
      Optional<Session> opened = server.open(context.channel());
      if (opened.isEmpty()) {
        refuse(context, Refusal.BUSY, "the server is busy with another client");
      } else {
        session = opened.get();
        session.begin();
      }
    } else {
      Optional<Session> known = server.session(hello.token());
      if (known.isEmpty()) {
        server.stranger();
        refuse(context, Refusal.UNKNOWN_SESSION, "no such session");
      } else {
        session = known.get();
        counting = true;
        session.addData(context.channel());
      }
    }
  }

  private void refuse(ChannelHandlerContext context, Refusal refusal, String reason) {
    ended = true;
    Refused refused = new Refused(ControlMessage.VERSION, refusal, reason);
    var unused = ControlChannel.sendAndClose(context.channel(), refused);
    server.refused((InetSocketAddress) context.channel().remoteAddress(), refused);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (admitted) {
      server.gone();
    }
    Future<?> waiting = deadline;
    if (waiting != null) {
      waiting.cancel(false);
    }
    Session current = session;
    if (current == null) {
      return;
    }
    if (counting) {
      current.removeData(context.channel());
    } else {
      current.end(false, "the client went away");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A reset is how TCP's flow ends; anything else ends it too.
    ControlChannel.close(context.channel());
  }
}

package ebb.net.server;

import ebb.ledbat.endpoint.SourceShares;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlFrames;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Challenge;
import ebb.net.control.ControlMessage.Filler;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Proof;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.NetKey;
import ebb.net.control.Token;
import ebb.net.iperf.Iperf3Server;
import ebb.net.iperf.Iperf3Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection to a server: waits a little for its first message, and is then the session's
 * control connection, or handed over to a mechanism.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter {
  private final NetServer server;
  private final ControlFrames frames = new ControlFrames();
  private SourceShares<ServerConnection>.@Nullable Share place;
  private @Nullable ChannelHandlerContext own;
  private boolean ended;
  private @Nullable Future<?> deadline;
  private @Nullable Session session;
  private boolean handedOver;
  private @Nullable Hello asking;
  private @Nullable Token nonce;
  private boolean begun;
  private @Nullable ByteBuf cookie;

  ServerConnection(NetServer server) {
    this.server = server;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    own = context;
    place = server.admit(this, client(context).getAddress());
    if (place == null) {
      server.stranger();
      refuse(context, Refusal.BUSY, "the server has as many connections as it can take");
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
                ServerLimits.HELLO_SECONDS,
                TimeUnit.SECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (handedOver) {
      context.fireChannelRead(message);
      return;
    }
    ByteBuf in = (ByteBuf) message;
    try {
      if (!begun && in.isReadable()) {
        begun = true;
        cookie =
            Iperf3Wire.beginsCookie(in.getByte(in.readerIndex()))
                ? Unpooled.buffer(Iperf3Wire.COOKIE_BYTES, Iperf3Wire.COOKIE_BYTES)
                : null;
      }
      ByteBuf collecting = cookie;
      if (collecting != null && !ended) {
        in.readBytes(collecting, Math.min(in.readableBytes(), collecting.writableBytes()));
        if (collecting.isWritable()) {
          return;
        }
        cookie = null;
        stopWaiting();
        onCookie(context, collecting.array());
      }
      while (!ended && !handedOver) {
        ControlMessage next = frames.next(in);
        if (next == null) {
          return;
        }
        onMessage(context, next);
      }
      if (handedOver) {
        context.fireChannelRead(in.readRetainedSlice(in.readableBytes()));
      }
    } finally {
      in.release();
    }
  }

  private void onMessage(ChannelHandlerContext context, ControlMessage message) {
    if (message instanceof Filler && (session != null || asking != null)) {
      return; // It was for another program.
    }
    if (session != null) {
      session.onMessage(message);
      return;
    }
    Token asked = nonce;
    NetKey key = server.limits().key();
    if (asked != null && key != null && asking != null) {
      if (message instanceof Proof proof && proof.equals(key.prove(asked))) {
        stopWaiting();
        open(context, asking);
      } else {
        refuse(context, Refusal.KEY, "the key is not this server's");
      }
      return;
    }
    if (!(message instanceof Hello hello)) {
      // Whoever it is, it is no client: no answer.
      stopWaiting();
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
    } else if (hello.purpose() == Purpose.SESSION || hello.purpose() == Purpose.RESERVATION) {
      if (key != null) {
        asking = hello;
        nonce = Token.fresh();
        ControlChannel.send(context.channel(), new Challenge(nonce));
        return; // The deadline goes on.
      }
      stopWaiting();
      open(context, hello);
    } else {
      stopWaiting();
      Optional<Session> known = server.sessions().of(hello.token());
      if (known.isEmpty()) {
        server.stranger();
        refuse(context, Refusal.UNKNOWN_SESSION, "no such session");
      } else {
        take(context, known.get(), hello.purpose() == Purpose.DATA_DOWN);
      }
    }
  }

  /** An iperf3 client's: its control connection, or one for data of a session that there is. */
  private void onCookie(ChannelHandlerContext context, byte[] bytes) {
    String shown = new String(bytes, StandardCharsets.ISO_8859_1);
    Optional<Session> known = server.sessions().ofCookie(shown);
    if (!Iperf3Wire.isCookie(bytes)) {
      ended = true;
      server.stranger();
      ControlChannel.close(context.channel());
    } else if (known.isPresent()) {
      if (!known.get().isFrom(client(context))) {
        known.get().refuseFlowFrom(client(context));
      } else if (known.get().take(context.channel())) {
        handedOver = true;
        return;
      }
      ended = true;
      server.stranger();
      ControlChannel.close(context.channel());
    } else {
      openIperf3(context, shown);
    }
  }

  private void openIperf3(ChannelHandlerContext context, String shown) {
    Iperf3Server translator =
        new Iperf3Server(
            server.limits().maxMicros(),
            why -> {
              Session current = session;
              if (current != null) {
                current.refuse(Refusal.MALFORMED, why);
              }
            });
    context.pipeline().addFirst(translator);
    if (server.limits().key() != null) {
      refuse(context, Refusal.KEY, "this server wants a key, and iperf3 has none");
      return;
    }
    Hello hello = new Hello(ControlMessage.VERSION, Purpose.SESSION, Token.NONE);
    Optional<Session> opened = server.open(context.channel(), hello);
    if (opened.isEmpty()) {
      refuse(context, Refusal.BUSY, "the server is busy with another client");
    } else {
      session = opened.get();
      server.sessions().name(shown, opened.get());
      opened.get().begin(translator);
    }
  }

  /** A connection for data. */
  private void take(ChannelHandlerContext context, Session of, boolean down) {
    if (!of.isFrom(client(context))) {
      server.stranger();
      refuse(context, Refusal.ADDRESS, of.refuseFlowFrom(client(context)));
    } else if (of.take(context.channel(), down)) {
      handedOver = true;
    } else {
      server.stranger();
      refuse(context, Refusal.UNKNOWN_SESSION, "the session has no such connection");
    }
  }

  private void open(ChannelHandlerContext context, Hello hello) {
    Optional<Session> opened = server.open(context.channel(), hello);
    if (opened.isEmpty()) {
      refuse(context, Refusal.BUSY, "the server is busy with another client");
    } else {
      session = opened.get();
      session.begin();
    }
  }

  /** Ends for a connection from another address, which has fewer. On the loop. */
  void giveWay() {
    ChannelHandlerContext context = own;
    Session current = session;
    giveBackPlace();
    String why = "others want to connect, and most connections to the server are from this address";
    if (current != null) {
      current.refuse(Refusal.BUSY, why);
    } else if (context != null && handedOver) {
      ControlChannel.close(context.channel());
    } else if (context != null) {
      refuse(context, Refusal.BUSY, why);
    }
  }

  private void giveBackPlace() {
    SourceShares<ServerConnection>.Share held = place;
    if (held != null) {
      held.giveBack();
    }
  }

  private static InetSocketAddress client(ChannelHandlerContext context) {
    return (InetSocketAddress) context.channel().remoteAddress();
  }

  private void stopWaiting() {
    Future<?> waiting = deadline;
    if (waiting != null) {
      waiting.cancel(false);
    }
  }

  private void refuse(ChannelHandlerContext context, Refusal refusal, String reason) {
    stopWaiting();
    ended = true;
    Refused refused = new Refused(ControlMessage.VERSION, refusal, reason);
    var unused = ControlChannel.sendAndClose(context.channel(), refused);
    server.refused(client(context), refused);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    giveBackPlace();
    stopWaiting();
    if (handedOver) {
      context.fireChannelInactive();
      return;
    }
    Session current = session;
    if (current != null) {
      current.end(false, "the client went away");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (handedOver) {
      context.fireExceptionCaught(cause);
      return;
    }
    // A reset is how TCP's flow ends; anything else ends it too.
    ControlChannel.close(context.channel());
  }
}

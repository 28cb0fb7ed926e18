package ebb.proxy.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.socksx.v5.DefaultSocks5CommandResponse;
import io.netty.handler.codec.socksx.v5.DefaultSocks5InitialResponse;
import io.netty.handler.codec.socksx.v5.DefaultSocks5PasswordAuthResponse;
import io.netty.handler.codec.socksx.v5.Socks5AddressType;
import io.netty.handler.codec.socksx.v5.Socks5AuthMethod;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequest;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5CommandStatus;
import io.netty.handler.codec.socksx.v5.Socks5CommandType;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequest;
import io.netty.handler.codec.socksx.v5.Socks5PasswordAuthRequest;
import io.netty.handler.codec.socksx.v5.Socks5PasswordAuthRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5PasswordAuthStatus;
import io.netty.handler.codec.socksx.v5.Socks5ServerEncoder;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * SOCKS 5 (RFC 1928) with user and password (RFC 1929): CONNECT to names and addresses. What a
 * client sends before it has an answer waits here.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class SocksDoor extends ChannelInboundHandlerAdapter {
  private static final String ANY = "0.0.0.0";

  private final Session session;
  private final Deque<ByteBuf> early = new ArrayDeque<>();
  private boolean inputEnded;
  private boolean asked;

  SocksDoor(Session session) {
    this.session = session;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Socks5InitialRequest hello) {
      greet(ctx, hello);
    } else if (message instanceof Socks5PasswordAuthRequest login) {
      login(ctx, login);
    } else if (message instanceof Socks5CommandRequest request && !asked) {
      asked = true;
      request(ctx, request);
    } else if (message instanceof ByteBuf bytes && asked) {
      early.add(bytes);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  private void greet(ChannelHandlerContext ctx, Socks5InitialRequest hello) {
    Credentials credentials = session.core().settings.credentials();
    Socks5AuthMethod method =
        credentials == null ? Socks5AuthMethod.NO_AUTH : Socks5AuthMethod.PASSWORD;
    if (hello.decoderResult().isFailure()) {
      session.hangUp();
    } else if (!hello.authMethods().contains(method)) {
      session.farewell(new DefaultSocks5InitialResponse(Socks5AuthMethod.UNACCEPTED));
    } else {
      ctx.pipeline()
          .replace(
              Door.DECODER,
              Door.DECODER,
              credentials == null
                  ? new Socks5CommandRequestDecoder()
                  : new Socks5PasswordAuthRequestDecoder());
      ctx.writeAndFlush(new DefaultSocks5InitialResponse(method));
    }
  }

  private void login(ChannelHandlerContext ctx, Socks5PasswordAuthRequest login) {
    Credentials credentials = session.core().settings.credentials();
    boolean known =
        credentials != null
            && login.decoderResult().isSuccess()
            && credentials.match(login.username(), login.password());
    if (!known) {
      session.core().note("a client gave no right user and password; it was refused");
      session.farewell(new DefaultSocks5PasswordAuthResponse(Socks5PasswordAuthStatus.FAILURE));
      return;
    }
    ctx.pipeline().replace(Door.DECODER, Door.DECODER, new Socks5CommandRequestDecoder());
    ctx.writeAndFlush(new DefaultSocks5PasswordAuthResponse(Socks5PasswordAuthStatus.SUCCESS));
  }

  private void request(ChannelHandlerContext ctx, Socks5CommandRequest request) {
    if (request.decoderResult().isFailure()) {
      refuse(Refusal.ADDRESS_UNKNOWN);
      return;
    }
    // What comes now is for the server, and waits; there is one read of it at most.
    session.gate().hold(ReadGate.Hold.STEP);
    session.gate().wasForUs();
    ctx.pipeline().remove(Door.DECODER);
    Target target = Target.of(request.dstAddr(), request.dstPort());
    if (session.isTurnedAway()) {
      refuse(Refusal.BUSY);
    } else if (!request.type().equals(Socks5CommandType.CONNECT)) {
      refuse(Refusal.COMMAND_UNKNOWN);
    } else if (target == null) {
      refuse(Refusal.ADDRESS_UNKNOWN);
    } else {
      session.connect(target, up -> connected(ctx, up), this::refuse);
    }
  }

  private void connected(ChannelHandlerContext ctx, Upstream up) {
    Channel client = session.client();
    ctx.writeAndFlush(success(up.channel().localAddress()))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    ctx.pipeline().remove(Socks5ServerEncoder.class);
    RelayEnd.join(client, session.gate(), up.channel(), up.gate());
    // This door leaves what it kept to the other side, and the end of it, if that has come.
    RelayEnd.write(up.channel(), early);
    early.clear();
    ctx.pipeline().remove(this);
    if (inputEnded) {
      client.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }
    up.gate().release(ReadGate.Hold.STEP);
    session.gate().release(ReadGate.Hold.STEP);
  }

  private static DefaultSocks5CommandResponse success(java.net.SocketAddress bound) {
    InetAddress address = bound instanceof InetSocketAddress inet ? inet.getAddress() : null;
    int port = bound instanceof InetSocketAddress inet ? inet.getPort() : 0;
    return new DefaultSocks5CommandResponse(
        Socks5CommandStatus.SUCCESS,
        address instanceof java.net.Inet6Address ? Socks5AddressType.IPv6 : Socks5AddressType.IPv4,
        address == null ? ANY : text(address),
        port);
  }

  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  private void refuse(Refusal why) {
    session.farewell(new DefaultSocks5CommandResponse(why.socks(), Socks5AddressType.IPv4, ANY, 0));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      if (!asked) {
        ctx.close();
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, @Nullable Throwable cause) {
    Sockets.reset(ctx.channel());
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    early.forEach(ByteBuf::release);
    early.clear();
  }
}

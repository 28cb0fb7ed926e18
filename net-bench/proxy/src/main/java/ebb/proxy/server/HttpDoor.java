package ebb.proxy.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 as a proxy speaks it: CONNECT, and requests for whole addresses, one after the other.
 * The connection to a server is kept for the next request to it. It owns the client's side; the
 * server's is {@link HttpServerSide}'s.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class HttpDoor extends ChannelInboundHandlerAdapter {
  /** Between two requests. */
  private static final long KEEP_ALIVE_MICROS = 60_000_000;

  private final Session session;
  private final HttpResponses responses;

  /** What has come and waits: for a connection, or for the response to the request before. */
  private final Deque<HttpObject> waiting = new ArrayDeque<>();

  private final Deque<ByteBuf> early = new ArrayDeque<>();
  private int requestsWaiting;

  /** The request that is served now, as the client sent it. */
  private @Nullable HttpRequest request;

  private @Nullable Upstream up;
  private boolean requestDone;
  private boolean responseBegun;
  private boolean keepAlive;

  /** The connection had served another request before, so that it may have been about to end. */
  private boolean reused;

  private boolean contentSent;
  private boolean tunnel;
  private boolean inputEnded;
  private boolean over;

  HttpDoor(Session session, HttpResponses responses) {
    this.session = session;
    this.responses = responses;
    session.ifLate(() -> refuse(Refusal.HEADER_TOO_SLOW));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (over) {
      ReferenceCountUtil.release(message);
    } else if (tunnel) {
      if (message instanceof ByteBuf bytes) {
        early.add(bytes);
      } else {
        ReferenceCountUtil.release(
            message); // The end of CONNECT's content, of which there is none.
      }
    } else if (message instanceof HttpObject part) {
      waiting.add(part);
      if (part instanceof HttpRequest && ++requestsWaiting > Limits.PIPELINED_REQUESTS) {
        refuse(Refusal.MALFORMED);
        return;
      }
      advance();
    }
  }

  /** Does what can be done with what waits. */
  private void advance() {
    while (!over && !tunnel && !waiting.isEmpty()) {
      if (request == null) {
        HttpObject part = waiting.remove();
        if (part instanceof HttpRequest next) {
          requestsWaiting--;
          begin(next);
        } else {
          ReferenceCountUtil.release(part);
        }
      } else if (up == null || requestDone) {
        break;
      } else {
        forward(waiting.remove());
      }
    }
    if (over || tunnel) {
      return;
    }
    if (up != null) {
      up.channel().flush();
    }
    if (waiting.isEmpty()) {
      session.gate().release(ReadGate.Hold.STEP);
    } else {
      session.gate().hold(ReadGate.Hold.STEP);
    }
  }

  private void begin(HttpRequest next) {
    if (next.decoderResult().isFailure()) {
      refuse(malformed(next.decoderResult().cause()));
      return;
    }
    Credentials credentials = session.core().settings.credentials();
    if (credentials != null
        && !credentials.match(next.headers().get(HttpHeaderNames.PROXY_AUTHORIZATION))) {
      refuse(Refusal.PASSWORD_WRONG);
      return;
    }
    if (session.isTurnedAway()) {
      refuse(Refusal.BUSY);
      return;
    }
    if (next.method().equals(HttpMethod.CONNECT)) {
      tunnel(next);
      return;
    }
    String uri = next.uri();
    Target target = HttpHeads.target(uri);
    if (target == null) {
      refuse(
          uri.startsWith("/") || uri.equals("*")
              ? Refusal.NOT_A_PROXY_REQUEST
              : uri.indexOf("://") > 0 && !HttpHeads.isHttp(uri)
                  ? Refusal.SCHEME_UNKNOWN
                  : Refusal.ADDRESS_UNKNOWN);
      return;
    }
    request = next;
    requestDone = false;
    responseBegun = false;
    contentSent = false;
    keepAlive = HttpUtil.isKeepAlive(next) && proxyKeepsAlive(next);
    responses.answers(next.method());
    Upstream last = up;
    if (last != null && last.target().equals(target) && last.channel().isActive()) {
      reused = true;
      session.withoutDeadline();
      send(last);
    } else {
      dropUpstream();
      dial(target);
    }
  }

  private static boolean proxyKeepsAlive(HttpRequest request) {
    return !request.headers().containsValue(HttpHeads.PROXY_CONNECTION, "close", true);
  }

  private static Refusal malformed(Throwable cause) {
    return cause instanceof TooLongHttpLineException
        ? Refusal.LINE_TOO_LONG
        : cause instanceof TooLongHttpHeaderException
            ? Refusal.HEADER_TOO_LARGE
            : Refusal.MALFORMED;
  }

  private void dial(Target target) {
    reused = false;
    session.connect(
        target,
        opened -> {
          up = opened;
          HttpServerSide.join(opened, this);
          send(opened);
          if (requestDone) { // of an attempt before
            opened.channel().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
          }
          session.gate().follow(opened.channel());
          opened.gate().follow(session.client());
          opened.gate().release(ReadGate.Hold.STEP);
          advance();
        },
        this::refuse);
  }

  private void send(Upstream to) {
    HttpRequest head = request;
    if (head != null) {
      to.channel().writeAndFlush(HttpHeads.forServer(head, to.target()));
    }
  }

  private void forward(HttpObject part) {
    Upstream to = up;
    if (to == null || !(part instanceof HttpContent content)) {
      ReferenceCountUtil.release(part);
      refuse(Refusal.MALFORMED);
      return;
    }
    if (content.decoderResult().isFailure()) {
      content.release();
      refuse(Refusal.MALFORMED);
      return;
    }
    contentSent |= content.content().isReadable();
    requestDone = content instanceof LastHttpContent;
    to.channel().write(content, to.channel().voidPromise());
  }

  /** From the server's side: a part of the response. */
  void respond(HttpObject part) {
    if (over || request == null) {
      ReferenceCountUtil.release(part); // Nobody asked.
      dropUpstream();
      return;
    }
    if (part.decoderResult().isFailure() || isSwitch(part)) {
      ReferenceCountUtil.release(part);
      failServer();
      return;
    }
    if (part instanceof HttpResponse head) {
      boolean last = head.status().codeClass() != HttpStatusClass.INFORMATIONAL;
      boolean serverKeeps = HttpUtil.isKeepAlive(head);
      HttpHeads.strip(head.headers());
      HttpHeads.addVia(head.headers());
      head.setProtocolVersion(HttpVersion.HTTP_1_1);
      if (last) {
        responseBegun = true;
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
          HttpUtil.setTransferEncodingChunked(head, false); // It ends with the connection.
        }
        boolean bounded =
            HttpUtil.isContentLengthSet(head)
                || HttpUtil.isTransferEncodingChunked(head)
                || isWithoutContent(head);
        keepAlive &= bounded && serverKeeps && !inputEnded;
        HttpUtil.setKeepAlive(head.headers(), request.protocolVersion(), keepAlive);
      }
    }
    boolean responseDone = part instanceof LastHttpContent && responseBegun;
    session.client().write(part, session.client().voidPromise());
    if (responseDone) {
      session.client().flush();
      // Else it was answered before it was sent: the rest would be taken for the next request.
      keepAlive &= requestDone;
      endOfExchange();
    }
  }

  /** To a protocol that nobody asked for: Upgrade is not passed on. */
  private static boolean isSwitch(HttpObject part) {
    return part instanceof HttpResponse head
        && head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
  }

  private boolean isWithoutContent(HttpResponse head) {
    int code = head.status().code();
    return code == 204
        || code == 304
        || (request != null && request.method().equals(HttpMethod.HEAD));
  }

  /** From the server's side: it says no more. */
  void serverEnded(Upstream which) {
    if (over || up != which) {
      return;
    }
    up = null;
    Sockets.reset(which.channel());
    if (request == null) {
      return;
    }
    if (!responseBegun && reused && !contentSent && isRepeatable(request)) {
      // A server may end a kept connection at any time, also just now.
      dial(which.target());
      return;
    }
    failServer();
  }

  private static boolean isRepeatable(HttpRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private void failServer() {
    if (responseBegun || request == null) {
      // What the client has must not look complete.
      over = true;
      Sockets.reset(session.client());
      dropUpstream();
    } else {
      refuse(Refusal.NO_RESPONSE);
    }
  }

  private void endOfExchange() {
    request = null;
    if (keepAlive) {
      session.within(KEEP_ALIVE_MICROS, () -> session.client().close());
      advance();
      return;
    }
    over = true;
    dropUpstream();
    session.bye();
  }

  private void tunnel(HttpRequest connect) {
    Target target = Target.parse(connect.uri(), 0);
    if (target == null) {
      refuse(Refusal.ADDRESS_UNKNOWN);
      return;
    }
    tunnel = true;
    dropUpstream();
    session.gate().hold(ReadGate.Hold.STEP);
    session.gate().wasForUs();
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    // What follows is not HTTP; the decoder hands over what it has.
    session.client().pipeline().remove(Door.DECODER);
    session.connect(target, this::connected, this::refuse);
  }

  private void connected(Upstream to) {
    session.client().pipeline().remove(responses);
    session.say("HTTP/1.1 200 Connection established\r\n\r\n");
    RelayEnd.join(session.client(), session.gate(), to.channel(), to.gate());
    RelayEnd.write(to.channel(), early);
    early.clear();
    session.client().pipeline().remove(this);
    if (inputEnded) {
      session.client().pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }
    to.gate().release(ReadGate.Hold.STEP);
    session.gate().release(ReadGate.Hold.STEP);
  }

  private void refuse(Refusal why) {
    if (over) {
      return;
    }
    over = true;
    dropUpstream();
    if (why == Refusal.PASSWORD_WRONG) {
      session.core().note("a client gave no right user and password; it was refused");
    }
    String body = "ebb: " + why.words() + "\n";
    StringBuilder text = new StringBuilder("HTTP/1.1 ").append(why.http()).append("\r\n");
    if (why == Refusal.PASSWORD_WRONG) {
      text.append("Proxy-Authenticate: Basic realm=\"ebb proxy\"\r\n");
    }
    text.append("Connection: close\r\nContent-Type: text/plain\r\nContent-Length: ")
        .append(body.length())
        .append("\r\n\r\n");
    boolean head = request != null && request.method().equals(HttpMethod.HEAD);
    text.append(head ? "" : body);
    // The encoder lets bytes pass only where content is due.
    if (session.client().pipeline().context(responses) != null) {
      session.client().pipeline().remove(responses);
    }
    session.farewell(text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private void dropUpstream() {
    Upstream last = up;
    up = null;
    if (last != null) {
      Sockets.reset(last.channel());
    }
  }

  /** The client takes more, or no more for now. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (up != null) {
      up.gate().follow(ctx.channel());
    }
  }

  /** From the server's side: it takes more, or no more for now. */
  void serverWritability(Upstream which) {
    if (up == which) {
      session.gate().follow(which.channel());
    }
  }

  void flush() {
    session.client().flush();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      boolean served = request != null && requestDone;
      if (!served && !tunnel && !over) {
        over = true;
        dropUpstream();
        ctx.close();
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    over = true;
    dropUpstream();
    Sockets.reset(ctx.channel());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    over = true;
    dropUpstream();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    early.forEach(ByteBuf::release);
    early.clear();
  }
}

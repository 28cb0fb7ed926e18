package ebb.proxy.server;

import com.fasterxml.jackson.jr.ob.JSON;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of who uses the proxy for what, on loopback only: one file, and the figures that it asks
 * for each second. A browser that was led here by another name gets nothing.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class LivePage {
  private static final int MAX_CONNECTIONS = 32;
  private static final int READ_SECONDS = 10;
  private static final int MAX_LINE_BYTES = 2_048;
  private static final int MAX_HEADER_BYTES = 16_384;
  private static final int MAX_ROWS = 200;

  private final @Nullable Channel listening;
  private Supplier<Usage.Snapshot> usage = () -> Usage.Snapshot.NOTHING;
  private Supplier<String> steering = () -> "";
  private int open;

  private LivePage(@Nullable Channel listening) {
    this.listening = listening;
  }

  /**
   * Listens on loopback.
   *
   * @param port negative for no page
   */
  static LivePage open(EventLoopGroup loop, int port) throws IOException, InterruptedException {
    if (port < 0) {
      return new LivePage(null);
    }
    LivePage[] page = new LivePage[1];
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(Sockets.server())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel reader) {
                    Objects.requireNonNull(page[0]).accept(reader);
                  }
                });
    Channel listening =
        ProxyServer.await(
            bootstrap
                .option(io.netty.channel.ChannelOption.AUTO_READ, false)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    page[0] = new LivePage(listening);
    return page[0];
  }

  /** Begins to answer. */
  void show(Supplier<Usage.Snapshot> of, Supplier<String> way) {
    usage = of;
    steering = way;
    if (listening != null) {
      listening.config().setAutoRead(true);
    }
  }

  Optional<InetSocketAddress> address() {
    return Optional.ofNullable(listening)
        .map(channel -> (InetSocketAddress) channel.localAddress());
  }

  private void accept(Channel reader) {
    open++;
    reader.closeFuture().addListener(closed -> open--);
    if (open > MAX_CONNECTIONS) {
      reader.close();
      return;
    }
    reader
        .pipeline()
        .addLast(
            new ReadTimeoutHandler(READ_SECONDS),
            new HttpServerCodec(MAX_LINE_BYTES, MAX_HEADER_BYTES, MAX_HEADER_BYTES),
            new Answers());
  }

  private final class Answers extends SimpleChannelInboundHandler<HttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpRequest request) {
      if (request.decoderResult().isFailure() || !request.method().equals(HttpMethod.GET)) {
        answer(ctx, HttpResponseStatus.BAD_REQUEST, "text/plain", "GET only\n");
      } else if (!isLoopback(request.headers().get(HttpHeaderNames.HOST))) {
        answer(ctx, HttpResponseStatus.FORBIDDEN, "text/plain", "by loopback only\n");
      } else if (request.uri().equals("/")) {
        answer(ctx, HttpResponseStatus.OK, "text/html; charset=utf-8", html());
      } else if (request.uri().equals("/usage.json")) {
        answer(ctx, HttpResponseStatus.OK, "application/json", json());
      } else {
        answer(ctx, HttpResponseStatus.NOT_FOUND, "text/plain", "there is / and /usage.json\n");
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private static boolean isLoopback(@Nullable String host) {
    Target named = host == null ? null : Target.parse(host, HttpHeads.HTTP_PORT);
    return named != null
        && (named.host().equals("localhost")
            || named.host().equals("127.0.0.1")
            || named.host().equals("::1"));
  }

  private static void answer(
      ChannelHandlerContext ctx, HttpResponseStatus status, String type, String body) {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            status,
            Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set(HttpHeaderNames.X_FRAME_OPTIONS, "DENY")
        .set(
            HttpHeaderNames.CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
                + " connect-src 'self'")
        .set(HttpHeaderNames.CONNECTION, "close");
    ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  private static String html() {
    try (InputStream page =
        Objects.requireNonNull(LivePage.class.getResourceAsStream("live.html"))) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private String json() {
    Usage.Snapshot now = usage.get();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("steering", steering.get());
    fields.put("open", now.open());
    fields.put("connections", now.connections());
    fields.put("refused", now.refused());
    fields.put("down_bytes", now.downBytes());
    fields.put("up_bytes", now.upBytes());
    fields.put("down_bits_per_second", now.downBytesPerSecond() * 8);
    fields.put("up_bits_per_second", now.upBytesPerSecond() * 8);
    List<Map<String, Object>> hosts = new ArrayList<>();
    for (Usage.Row row : now.rows()) {
      if (hosts.size() < MAX_ROWS) {
        hosts.add(row.fields());
      }
    }
    fields.put("hosts", hosts);
    try {
      return JSON.std.asString(fields);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}

package ebb.proxy.server;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a proxy changes in the heads of requests and responses (RFC 9110, 7.6). */
final class HttpHeads {
  static final int HTTP_PORT = 80;
  private static final String HTTP = "http://";

  /** Of no RFC, and sent all the same. */
  static final String PROXY_CONNECTION = "proxy-connection";

  private static final String VIA = "1.1 ebb";

  private static final List<CharSequence> FOR_THIS_HOP =
      List.of(
          HttpHeaderNames.CONNECTION,
          PROXY_CONNECTION,
          "keep-alive",
          HttpHeaderNames.PROXY_AUTHENTICATE,
          HttpHeaderNames.PROXY_AUTHORIZATION,
          HttpHeaderNames.TE,
          HttpHeaderNames.UPGRADE);

  private HttpHeads() {}

  /** The server in an address such as {@code http://example.com/x}; null when it has none. */
  static @Nullable Target target(String uri) {
    if (!isHttp(uri)) {
      return null;
    }
    String rest = uri.substring(HTTP.length());
    int end = authorityEnd(rest);
    String authority = rest.substring(0, end);
    // A user in front is deprecated, and would hide the host from people.
    return authority.indexOf('@') >= 0 ? null : Target.parse(authority, HTTP_PORT);
  }

  static boolean isHttp(String uri) {
    return uri.regionMatches(true, 0, HTTP, 0, HTTP.length());
  }

  private static int authorityEnd(String rest) {
    for (int i = 0; i < rest.length(); i++) {
      if ("/?#".indexOf(rest.charAt(i)) >= 0) {
        return i;
      }
    }
    return rest.length();
  }

  /** As the server gets it: with a path instead of an address, and without what is for us. */
  static HttpRequest forServer(HttpRequest request, Target target) {
    String rest = request.uri().substring(HTTP.length());
    String path = rest.substring(authorityEnd(rest));
    int fragment = path.indexOf('#');
    path = fragment < 0 ? path : path.substring(0, fragment);
    HttpHeaders headers = request.headers().copy();
    strip(headers);
    headers.set(HttpHeaderNames.HOST, target.authority(HTTP_PORT));
    headers.add(HttpHeaderNames.VIA, VIA);
    return new DefaultHttpRequest(
        HttpVersion.HTTP_1_1, request.method(), path.startsWith("/") ? path : "/" + path, headers);
  }

  /** Takes out what is for one connection only, and what Connection names. */
  static void strip(HttpHeaders headers) {
    for (String line : headers.getAll(HttpHeaderNames.CONNECTION)) {
      for (String name : line.split(",", -1)) {
        String plain = name.strip();
        // Framing is not for a peer to take away.
        if (!plain.isEmpty()
            && !HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(plain)
            && !HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(plain)
            && !HttpHeaderNames.HOST.contentEqualsIgnoreCase(plain)) {
          headers.remove(plain);
        }
      }
    }
    FOR_THIS_HOP.forEach(headers::remove);
  }

  static void addVia(HttpHeaders headers) {
    headers.add(HttpHeaderNames.VIA, VIA);
  }
}

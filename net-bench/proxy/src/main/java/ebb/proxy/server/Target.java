package ebb.proxy.server;

import io.netty.util.NetUtil;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A server that a client asks for: a name or an address, and a port. It resolves nothing.
 *
 * @param host in lower case; an IPv6 address without brackets
 */
record Target(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** Null for what no server can be called. */
  static @Nullable Target of(String host, int port) {
    boolean bounded = !host.isEmpty() && host.length() <= Limits.NAME_BYTES;
    boolean known = bounded && (NetUtil.isValidIpV6Address(host) || isName(host));
    return known && port > 0 && port <= MAX_PORT
        ? new Target(host.toLowerCase(Locale.ROOT), port)
        : null;
  }

  /** Names with underscores exist, whatever RFC 1123 says. */
  private static boolean isName(String host) {
    return host.chars()
        .allMatch(
            c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '.'
                    || c == '_');
  }

  /**
   * Reads {@code host:port}, {@code host}, {@code [::1]:port}; null for anything else.
   *
   * @param defaultPort for an authority without one; 0 when there has to be one
   */
  static @Nullable Target parse(String authority, int defaultPort) {
    int bracket = authority.lastIndexOf(']');
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon > bracket;
    String host = hasPort ? authority.substring(0, colon) : authority;
    if (host.startsWith("[") && bracket == host.length() - 1) {
      host = host.substring(1, bracket);
      if (!NetUtil.isValidIpV6Address(host)) {
        return null;
      }
    } else if (host.indexOf(':') >= 0) {
      return null;
    }
    if (!hasPort) {
      return of(host, defaultPort);
    }
    String digits = authority.substring(colon + 1);
    boolean plain = !digits.isEmpty() && digits.length() <= 5;
    return plain && digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? of(host, Integer.parseInt(digits))
        : null;
  }

  /** As it stands in a Host header. */
  String authority(int defaultPort) {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == defaultPort ? name : name + ":" + port;
  }
}

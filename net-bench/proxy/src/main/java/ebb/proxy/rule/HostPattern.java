package ebb.proxy.rule;

import java.util.Locale;

/**
 * Names of hosts as users write them: {@code example.com}, {@code *.example.com}, {@code 10.*},
 * {@code *:443}, {@code [2001:db8:*]:80}. A star stands for any letters, dots too. It resolves
 * nothing: a pattern is held against the name or address that a program asked for.
 */
final class HostPattern {
  private static final int ANY_PORT = 0;
  private static final int MAX_PORT = 65_535;

  private final String glob;
  private final int port;

  private HostPattern(String glob, int port) {
    this.glob = glob;
    this.port = port;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException with one line
   */
  static HostPattern parse(String text) {
    String host = text;
    int port = ANY_PORT;
    int colon = text.lastIndexOf(':');
    boolean ipv6 = text.indexOf(':') != colon && !text.endsWith("]") && !text.contains("]:");
    if (colon >= 0 && !ipv6 && colon > text.lastIndexOf(']')) {
      host = text.substring(0, colon);
      port = port(text, text.substring(colon + 1));
    }
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty() || host.chars().anyMatch(c -> c <= ' ' || c > '~' || c == '/')) {
      throw new IllegalArgumentException(
          "'" + text + "' is no pattern of hosts, such as example.com, *.example.com, 10.*, *:443");
    }
    return new HostPattern(plain(host), port);
  }

  private static int port(String text, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port > 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    throw new IllegalArgumentException("the port of '" + text + "' has to be 1 to " + MAX_PORT);
  }

  boolean matches(String host, int toPort) {
    return (port == ANY_PORT || port == toPort) && matches(plain(host));
  }

  /** In lower case, without the dot that ends a complete name. */
  private static String plain(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.length() > 1 && lower.endsWith(".")
        ? lower.substring(0, lower.length() - 1)
        : lower;
  }

  /** The last star takes one letter more whenever what follows it does not fit. */
  private boolean matches(String host) {
    int g = 0;
    int h = 0;
    int star = -1;
    int taken = 0;
    while (h < host.length()) {
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        taken = h;
      } else if (g < glob.length() && glob.charAt(g) == host.charAt(h)) {
        g++;
        h++;
      } else if (star >= 0) {
        g = star + 1;
        h = ++taken;
      } else {
        return false;
      }
    }
    while (g < glob.length() && glob.charAt(g) == '*') {
      g++;
    }
    return g == glob.length();
  }
}

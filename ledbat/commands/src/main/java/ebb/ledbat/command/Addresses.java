package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses as users write and read them: {@code host:port}, {@code [::1]:port}. */
public final class Addresses {
  private Addresses() {}

  /**
   * Reads and resolves {@code host:port}.
   *
   * @throws EbbException USAGE when it is malformed, CANNOT_CONNECT when the host is unknown
   */
  public static InetSocketAddress remote(String text) {
    return address(text, 1);
  }

  /**
   * Where to listen: {@code host} or {@code host:port}, whose port may be 0, for a free one.
   *
   * @throws EbbException as {@link #remote(String)}
   */
  public static InetSocketAddress local(String text, String defaultPort) {
    return hasPort(text)
        ? address(text, 0)
        : new InetSocketAddress(host(text), port(defaultPort, 0));
  }

  private static InetSocketAddress address(String text, int minPort) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw usage("'" + text + "' is not HOST:PORT");
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw usage(
          "'" + text + "' is not HOST:PORT; an IPv6 address goes into brackets: [::1]:9000");
    }
    return new InetSocketAddress(host(host), port(text.substring(colon + 1), minPort));
  }

  /**
   * Reads and resolves {@code host} or {@code host:port}; a bare IPv6 address needs no brackets.
   *
   * @throws EbbException USAGE when it is malformed, CANNOT_CONNECT when the host is unknown
   */
  public static InetSocketAddress remote(String text, String defaultPort) {
    return hasPort(text) ? remote(text) : new InetSocketAddress(host(text), port(defaultPort, 1));
  }

  /**
   * The same by an address of one family.
   *
   * @param family {@link java.net.Inet4Address}, {@link Inet6Address}, or InetAddress for any
   * @throws EbbException CANNOT_CONNECT also when the host has no such address
   */
  public static InetSocketAddress remote(
      String text, String defaultPort, Class<? extends InetAddress> family) {
    InetSocketAddress first = remote(text, defaultPort);
    if (family.isInstance(first.getAddress())) {
      return first;
    }
    try {
      for (InetAddress other : InetAddress.getAllByName(first.getHostString())) {
        if (family.isInstance(other)) {
          return new InetSocketAddress(other, first.getPort());
        }
      }
    } catch (UnknownHostException gone) {
      // told below
    }
    throw new EbbException(
        ExitCode.CANNOT_CONNECT,
        "'" + text + "' has no " + (family == Inet6Address.class ? "IPv6" : "IPv4") + " address");
  }

  /** Whether {@link #remote(String, String)} finds a port in it. */
  public static boolean hasPort(String text) {
    boolean manyColons = text.indexOf(':') != text.lastIndexOf(':');
    return text.startsWith("[") ? text.contains("]:") : text.indexOf(':') >= 0 && !manyColons;
  }

  /** Resolves a host or reads an address literal, with or without brackets. */
  public static InetAddress host(String text) {
    String host =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    try {
      if (host.isEmpty()) {
        throw new UnknownHostException();
      }
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new EbbException(ExitCode.CANNOT_CONNECT, "unknown host '" + host + "'");
    }
  }

  /** Reads a port number of at least {@code min}. */
  public static int port(String text, int min) {
    try {
      int port = Integer.parseInt(text);
      if (port >= min && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    throw usage("'" + text + "' is not a port number between " + min + " and 65535");
  }

  /** The wildcard address of the same family. */
  public static InetSocketAddress anyFor(InetSocketAddress remote) {
    String any = remote.getAddress() instanceof Inet6Address ? "::" : "0.0.0.0";
    return new InetSocketAddress(host(any), 0);
  }

  /** {@code 127.0.0.1:9000} or {@code [::1]:9000}. */
  public static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    if (ip == null) {
      return address.getHostString() + ":" + address.getPort();
    }
    String host = NetUtil.toAddressString(ip);
    return (ip instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}

package ebb.core.kompics;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * Where a node is: a resolved IPv4 or IPv6 address and a port, the same one for TCP, UDP and
 * LEDBAT. Two are equal when both parts are; an IPv6 scope does not count. Immutable; not
 * serializable by Java.
 */
public final class EbbAddress implements Address {
  private final InetSocketAddress socket;

  private EbbAddress(InetSocketAddress socket) {
    this.socket = socket;
  }

  /**
   * An address from its parts.
   *
   * @param port 0 to 65535
   * @throws IllegalArgumentException when the port is out of range
   */
  public static EbbAddress of(InetAddress ip, int port) {
    return new EbbAddress(new InetSocketAddress(Objects.requireNonNull(ip, "ip"), port));
  }

  /**
   * The same place as the socket address.
   *
   * @throws IllegalArgumentException when its name is not resolved
   */
  public static EbbAddress of(InetSocketAddress socket) {
    InetAddress ip = socket.getAddress();
    if (ip == null) {
      throw new IllegalArgumentException("unknown host: " + socket.getHostString());
    }
    return of(ip, socket.getPort());
  }

  /** The same place as another kind of Kompics address. */
  public static EbbAddress of(Address other) {
    return other instanceof EbbAddress same ? same : of(other.asSocket());
  }

  @Override
  public InetAddress getIp() {
    return socket.getAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public InetSocketAddress asSocket() {
    return socket;
  }

  /** Whether both are the same node, which in Kompics means the same address and port. */
  @Override
  public boolean sameHostAs(Address other) {
    return socket.equals(other.asSocket());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EbbAddress that && socket.equals(that.socket);
  }

  @Override
  public int hashCode() {
    return socket.hashCode();
  }

  /** As users write it: {@code 192.0.2.1:7000}, {@code [2001:db8::1]:7000}. */
  @Override
  public String toString() {
    String ip = getIp().getHostAddress();
    return (ip.indexOf(':') >= 0 ? "[" + ip + "]" : ip) + ":" + getPort();
  }
}

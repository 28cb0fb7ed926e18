package ebb.ledbat.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/**
 * How large an IP packet may be on the way out of this machine. What the rest of a path carries is
 * for probes to find out; this only says whether larger ones than Ethernet's are worth it.
 */
public final class RouteMtu {
  private RouteMtu() {}

  /** The MTU, in bytes, of the interface that leads to the peer; 0 where that is not known. */
  static int towards(InetSocketAddress remote) {
    try {
      return onTheWayTo(remote);
    } catch (IOException | UncheckedIOException | IllegalArgumentException noRoute) {
      return 0; // the connection attempt itself will tell
    }
  }

  /**
   * The same for who wants to know why not.
   *
   * @throws IOException there is no route
   */
  public static int onTheWayTo(InetSocketAddress remote) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(remote); // sends nothing, and the kernel chooses the route
      NetworkInterface out = NetworkInterface.getByInetAddress(socket.getLocalAddress());
      return out == null ? 0 : Math.max(0, out.getMTU());
    }
  }
}

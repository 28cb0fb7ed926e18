package ebb.proxy.server;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;

/**
 * Which destinations a proxy must not connect to: its own ports, or it would serve itself without
 * end; and when others than this host may use it, everything that only this host should reach.
 *
 * @param ports of the proxy
 * @param open whether other hosts may use it
 */
record OwnAddresses(Set<Integer> ports, boolean open) {
  boolean refuses(InetAddress address, int port) {
    if (address.isMulticastAddress()) {
      return true;
    }
    if (open) {
      return address.isLinkLocalAddress() || isThisHost(address);
    }
    return ports.contains(port) && isThisHost(address);
  }

  private static boolean isThisHost(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return true; // Refusing one server is better than serving oneself.
    }
  }
}

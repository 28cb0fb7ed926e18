package ebb.ledbat.netty;

import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;

/** Takes the datagrams on a driver's socket that are not uTP. */
@FunctionalInterface
public interface ForeignDatagramHandler {
  /**
   * One datagram, whatever a stranger may have put in it. Called on the driver's loop; must not
   * block. An exception is counted and costs this datagram only.
   *
   * @param datagram readable bytes are the payload; valid during the call unless retained
   */
  void onDatagram(InetSocketAddress from, ByteBuf datagram);
}

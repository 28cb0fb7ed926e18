package ebb.net.server;

import ebb.net.control.ControlMessage.Refused;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A server on a free port of loopback, without limits, whose reports nobody reads. */
public final class LoopbackServer {
  private LoopbackServer() {}

  /** The caller closes it. */
  public static NetServer start() throws Exception {
    return NetServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        ServerLimits.NONE,
        new NetServer.Listener() {
          @Override
          public void onSessionEnd(SessionReport report) {}

          @Override
          public void onRefused(InetSocketAddress client, Refused refused) {}
        });
  }
}

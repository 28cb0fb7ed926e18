package ebb.net.udp;

import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.ServerOptions;
import ebb.net.mechanism.ServerPlace;
import java.net.BindException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a server's user may choose of UDP. */
public final class UdpServerOptions implements ServerOptions {
  @Option(
      names = "--udp-port",
      paramLabel = "PORT",
      description = "Port for plain UDP; 0 for any (default: the one after --port).")
  @Nullable String port;

  @Override
  public FlowAcceptor accept(ServerPlace place) throws BindException, InterruptedException {
    InetSocketAddress local = place.local();
    int number = place.anyPort() ? 0 : local.getPort() + 1;
    if (port != null) {
      number = port.matches("\\d{1,5}") ? Integer.parseInt(port) : -1;
    }
    if (number < 0 || number > 65_535) {
      throw new IllegalArgumentException(
          "\"" + (port == null ? number : port) + "\" is not a port");
    }
    return UdpAcceptor.bind(place, new InetSocketAddress(local.getAddress(), number));
  }
}

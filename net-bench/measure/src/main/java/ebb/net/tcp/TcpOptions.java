package ebb.net.tcp;

import ebb.background.BackgroundGroup;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import picocli.CommandLine.Option;

/** What a client may choose of the kernel's TCP. */
public final class TcpOptions implements ClientOptions {
  @Option(
      names = {"-C", "--congestion"},
      paramLabel = "NAME",
      defaultValue = TcpCongestion.KERNELS_OWN,
      description = "TCP's congestion control (default: the system's own).")
  String congestion = TcpCongestion.KERNELS_OWN;

  @Option(
      names = "--background",
      description =
          "Keep the TCP connections in the background from this end: what arrives by the receive"
              + " window, what is sent by the bytes in flight.")
  boolean background;

  /** The kernel's congestion control by name. */
  public TcpOptions congestion(String name) {
    congestion = name;
    return this;
  }

  /** Connections that this end keeps in the background. */
  public TcpOptions inBackground() {
    background = true;
    return this;
  }

  @Override
  public FlowOpening opening() {
    String name = congestion;
    TcpCongestion.check(name);
    BackgroundGroup group = background ? new BackgroundGroup() : null;
    return run -> new TcpOpener(run, name, group);
  }
}

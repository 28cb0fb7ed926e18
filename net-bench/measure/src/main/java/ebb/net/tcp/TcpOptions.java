package ebb.net.tcp;

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

  /** The kernel's congestion control by name. */
  public TcpOptions congestion(String name) {
    congestion = name;
    return this;
  }

  @Override
  public FlowOpening opening() {
    String name = congestion;
    TcpCongestion.check(name);
    return run -> new TcpOpener(run, name);
  }
}

package ebb.net.tcp;

import ebb.background.BackgroundGroup;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.OptionValues;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a client may choose of the kernel's TCP. */
public final class TcpOptions implements ClientOptions {
  /** Linux takes no other (TCP_MIN_MSS, MAX_TCP_WINDOW). */
  private static final int MIN_MSS = 88;

  private static final int MAX_MSS = 32_767;

  @Option(
      names = {"-C", "--congestion"},
      paramLabel = "NAME",
      defaultValue = TcpCongestion.KERNELS_OWN,
      description = "TCP's congestion control (default: the system's own).")
  String congestion = TcpCongestion.KERNELS_OWN;

  @Option(
      names = {"-M", "--set-mss"},
      paramLabel = "BYTES",
      description = "TCP's largest segment (default: the path's).")
  int mss;

  @Option(
      names = {"-N", "--no-delay"},
      description = "TCP without Nagle's algorithm, as it always is here.")
  boolean noDelay;

  @Option(
      names = "--snd-timeout",
      paramLabel = "TIME",
      description =
          "Give up TCP data that nobody acknowledges for so long; a number alone is ms (default:"
              + " the system's).")
  @Nullable String sendTimeout;

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
    if (mss != 0 && (mss < MIN_MSS || mss > MAX_MSS)) {
      throw new IllegalArgumentException(
          "-M is between " + MIN_MSS + " and " + MAX_MSS + " bytes: " + mss);
    }
    long micros =
        sendTimeout == null ? 0 : OptionValues.microsOfMillis("--snd-timeout", sendTimeout);
    if (sendTimeout != null && (micros < 1_000 || micros > 86_400_000_000L)) {
      throw new IllegalArgumentException("--snd-timeout is between 1 ms and a day");
    }
    BackgroundGroup group = background ? new BackgroundGroup() : null;
    TcpOpener.Settings settings = new TcpOpener.Settings(name, mss, (int) (micros / 1_000), group);
    return run -> new TcpOpener(run, settings);
  }
}

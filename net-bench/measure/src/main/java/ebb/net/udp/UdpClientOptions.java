package ebb.net.udp;

import ebb.net.control.TestSpec;
import ebb.net.echo.EchoLog;
import ebb.net.echo.MarkLog;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.OptionValues;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a client may choose of UDP. */
public final class UdpClientOptions implements ClientOptions {
  /** Of stop-and-wait, for whichever side sends; absent to adapt. */
  static final String ACK_TIMEOUT = "ack_timeout_micros";

  /** For the answer to an echo, where nobody says otherwise. */
  public static final long ECHO_WAIT_MICROS = 1_000_000;

  @Option(
      names = "--ack-timeout",
      paramLabel = "TIME",
      description =
          "Stop-and-wait over UDP: send again after this (default: adapts to the round trip).")
  @Nullable String ackTimeout;

  @Override
  public void complete(TestSpec.Builder spec) {
    if (ackTimeout != null) {
      spec.parameter(ACK_TIMEOUT, OptionValues.micros("--ack-timeout", ackTimeout));
    }
  }

  @Override
  public FlowOpening opening() {
    return run -> new UdpOpener(run, new EchoLog(ECHO_WAIT_MICROS, false, reply -> {}), null);
  }

  /** Flows whose echoes are counted there. */
  public static FlowOpening counting(EchoLog echoes) {
    return run -> new UdpOpener(run, echoes, null);
  }

  /** The same, and beside the echoes questions for marks, which are counted in the other log. */
  public static FlowOpening counting(EchoLog echoes, @Nullable MarkLog marks) {
    return run -> new UdpOpener(run, echoes, marks);
  }
}

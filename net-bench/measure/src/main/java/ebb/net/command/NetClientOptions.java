package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.run.RunPlan;
import ebb.net.tcp.TcpCongestion;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what to measure; iperf3's letters where the meaning is the same. */
final class NetClientOptions {
  static final int DEFAULT_STREAM_BYTES = 65_535;
  static final int DEFAULT_UDP_BYTES = 1_400;
  static final int DEFAULT_ECHO_BYTES = 64;

  /** As iperf3: UDP without a rate is a trickle, not a flood. */
  private static final long DEFAULT_UDP_BITS_PER_SECOND = 1_000_000;

  private static final long DEFAULT_MICROS = 10_000_000;
  private static final long MIN_INTERVAL_MICROS = 50_000;

  @Mixin NetPathOptions path = new NetPathOptions();

  @Option(
      names = {"-u", "--udp"},
      description = "UDP instead of TCP; without -b at 1 Mbit/s.")
  boolean udp;

  @Option(names = "--ledbat", description = "LEDBAT instead of TCP.")
  boolean ledbat;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "streaming",
      description = "streaming or stop-and-wait (default: ${DEFAULT-VALUE}).")
  String mode = "streaming";

  @Option(
      names = {"-t", "--time"},
      paramLabel = "SECONDS",
      description = "How long to send (default: 10 s, without -n).")
  @Nullable String time;

  @Option(
      names = {"-n", "--bytes"},
      paramLabel = "BYTES",
      description = "How much to send, by all streams together, instead of a time.")
  @Nullable String amount;

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "Between lines (default: ${DEFAULT-VALUE}).")
  String interval = "1";

  @Option(
      names = {"-P", "--parallel"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Streams at once (default: ${DEFAULT-VALUE}).")
  int parallel = 1;

  @Option(
      names = {"-b", "--bitrate"},
      paramLabel = "RATE",
      description = "Of each stream, such as 20M; 0 for no bound (default: none, UDP 1M).")
  @Nullable String rate;

  @Option(
      names = {"-l", "--length"},
      paramLabel = "BYTES",
      description =
          "Of a message, 1 to 65535, UDP 65507 (default: 65535, UDP 1400, stop-and-wait 64).")
  @Nullable String length;

  @Option(
      names = {"-R", "--reverse"},
      description = "The server sends.")
  boolean reverse;

  @Option(names = "--bidir", description = "Both send.")
  boolean bidir;

  @Option(
      names = {"-O", "--omit"},
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Leave out the beginning, for so long (default: ${DEFAULT-VALUE}).")
  String omit = "0";

  @Option(
      names = {"-w", "--window"},
      paramLabel = "BYTES",
      description = "Socket buffers (default: the system's own; UDP 4 MiB).")
  @Nullable String window;

  @Option(
      names = {"-B", "--bind"},
      paramLabel = "ADDRESS",
      description = "Send from this address of this machine.")
  @Nullable String bind;

  @Option(
      names = {"-C", "--congestion"},
      paramLabel = "NAME",
      defaultValue = TcpCongestion.KERNELS_OWN,
      description = "TCP's congestion control (default: the system's own).")
  String congestion = TcpCongestion.KERNELS_OWN;

  @Option(
      names = "--controller",
      paramLabel = "NAME",
      description = "LEDBAT's congestion controller (default: ebb's own default).")
  @Nullable String controller;

  @Option(
      names = {"--target", "--ledbat-set-target"},
      paramLabel = "TIME",
      description = "LEDBAT's TARGET, at most 100ms (default: the controller's own).")
  @Nullable String target;

  @Option(
      names = "--ack-timeout",
      paramLabel = "TIME",
      description =
          "Stop-and-wait over UDP: send again after this (default: adapts to the round trip).")
  @Nullable String ackTimeout;

  @Option(names = "--no-verify", description = "Do not compare the bytes that arrive.")
  boolean noVerify;

  /**
   * What the options ask for.
   *
   * @throws EbbException USAGE with one line
   */
  RunPlan plan(String host) {
    try {
      TcpCongestion.check(congestion);
      return plan(Addresses.remote(host, path.port), spec());
    } catch (IllegalArgumentException wrong) {
      throw usage("" + wrong.getMessage());
    }
  }

  /** The same options for another test. */
  RunPlan plan(InetSocketAddress server, TestSpec spec) {
    long intervalMicros = Seconds.micros("-i", interval);
    if (intervalMicros == 0) {
      intervalMicros = Long.MAX_VALUE / 4; // As iperf3: no lines in between.
    } else if (intervalMicros < MIN_INTERVAL_MICROS) {
      throw usage("-i must be at least 0.05 s, or 0 for no lines in between");
    }
    long connectMicros = path.connectMicros();
    return new RunPlan(
        server,
        spec,
        intervalMicros,
        Seconds.micros("-O", omit),
        spec.amountBytes() > 0 ? 0 : durationMicros(),
        congestion,
        ledbatConfig(connectMicros),
        bind == null ? null : new InetSocketAddress(Addresses.host(bind), 0),
        path.key(),
        connectMicros / 1_000);
  }

  private long durationMicros() {
    return time == null ? DEFAULT_MICROS : Seconds.micros("-t", time);
  }

  /** TCP, UDP or LEDBAT. */
  Protocol protocol() {
    if (udp && ledbat) {
      throw usage("-u and --ledbat exclude each other");
    }
    return udp ? Protocol.UDP : ledbat ? Protocol.LEDBAT : Protocol.TCP;
  }

  /** How messages follow one another. */
  Mode mode() {
    return NetPathOptions.mode(mode);
  }

  private TestSpec spec() {
    if (reverse && bidir) {
      throw usage("-R and --bidir exclude each other");
    }
    if (time != null && amount != null) {
      throw usage("-t and -n exclude each other");
    }
    Protocol protocol = protocol();
    Mode how = mode();
    long messageBytes = length == null ? usualBytes(protocol, how) : Seconds.bytes("-l", length);
    long defaultRate =
        protocol == Protocol.UDP && how == Mode.STREAMING ? DEFAULT_UDP_BITS_PER_SECOND : 0;
    long total = amount == null ? 0 : Seconds.bytes("-n", amount);
    if (amount != null && total < Math.max(1, parallel)) {
      throw usage("-n must be at least one byte a stream");
    }
    long micros = durationMicros();
    if (amount == null && micros == 0) {
      throw usage("-t must be above 0");
    }
    return new TestSpec(
        protocol,
        how,
        !reverse,
        reverse || bidir,
        parallel,
        (int) Math.min(Integer.MAX_VALUE, messageBytes),
        rate == null ? defaultRate : Seconds.bitsPerSecond("-b", rate),
        total / Math.max(1, parallel),
        amount == null ? micros + Seconds.micros("-O", omit) : 0,
        ackTimeout == null ? 0 : Seconds.micros("--ack-timeout", ackTimeout),
        window == null ? 0 : (int) Math.min(Integer.MAX_VALUE, Seconds.bytes("-w", window)),
        !noVerify);
  }

  private LedbatConfig ledbatConfig(long connectMicros) {
    try {
      LedbatConfigBuilder config =
          LedbatConfig.defaults().toBuilder().connectTimeoutMicros(connectMicros);
      if (controller != null) {
        config.controller(CongestionControllers.check(controller));
      }
      if (target != null) {
        config.targetDelayMicros(Seconds.micros("--target", target));
      }
      return config.build();
    } catch (IllegalArgumentException wrong) {
      throw usage("" + wrong.getMessage());
    }
  }

  /** The size of a message where none was asked for. */
  static int usualBytes(Protocol protocol, Mode mode) {
    if (mode == Mode.STOP_AND_WAIT) {
      return DEFAULT_ECHO_BYTES;
    }
    return protocol == Protocol.UDP ? DEFAULT_UDP_BYTES : DEFAULT_STREAM_BYTES;
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}

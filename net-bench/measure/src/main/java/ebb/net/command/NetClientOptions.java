package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.command.Addresses;
import ebb.net.client.ServerKind;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.iperf.Iperf3Wire;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.OptionValues;
import ebb.net.mechanism.ServiceMark;
import ebb.net.mechanism.TypeOfService;
import ebb.net.run.NetPlan;
import ebb.net.server.ServerLimits;
import ebb.net.udp.UdpMechanism;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say what to measure; iperf3's letters where the meaning is the same. */
final class NetClientOptions {
  private static final int DEFAULT_SECONDS = 10;

  /** What the length of a message is without the option, in words. */
  static final String DEFAULT_LENGTHS =
      TestSpec.MAX_MESSAGE_BYTES
          + ", UDP "
          + UdpMechanism.USUAL_BYTES
          + ", stop-and-wait "
          + Mechanism.USUAL_STOP_AND_WAIT_BYTES;

  private static final long MIN_INTERVAL_MICROS = 50_000;

  /** iperf3's longest; a longer one is a mistake. */
  private static final long LONGEST_BLOCK_BYTES = 1 << 20;

  @Mixin NetPathOptions path = new NetPathOptions();

  private final MechanismOptions mechanisms = new MechanismOptions("tcp");
  private final ForeignOptions foreign = ForeignOptions.ofClients();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "streaming",
      description = "streaming or stop-and-wait (default: ${DEFAULT-VALUE}).")
  String mode = "streaming";

  @Option(
      names = {"-t", "--time"},
      paramLabel = "SECONDS",
      description =
          "How long to send, 0 until it is interrupted (default: "
              + DEFAULT_SECONDS
              + " s, without -n).")
  @Nullable String time;

  @Option(
      names = {"-n", "--bytes"},
      paramLabel = "BYTES",
      description = "How much to send, by all streams together, instead of a time.")
  @Nullable String amount;

  @Option(
      names = {"-k", "--blockcount"},
      paramLabel = "N",
      description = "How many messages to send, by all streams together, instead of a time.")
  @Nullable String messages;

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
      description =
          "Of each stream, such as 20M; 0 for no bound (default: none, UDP "
              + UdpMechanism.USUAL_MEGABITS_PER_SECOND
              + "M).")
  @Nullable String rate;

  @Option(
      names = {"-l", "--length"},
      paramLabel = "BYTES",
      description =
          "Of a message, 1 to 65535, UDP 65507; up to 1Mi of a TCP stream means 65535 (default: "
              + DEFAULT_LENGTHS
              + ").")
  @Nullable String length;

  @Option(
      names = {"-R", "--reverse"},
      description = "The server sends.")
  boolean reverse;

  @Option(
      names = {"-4", "--version4"},
      description = "IPv4 only.")
  boolean ipv4;

  @Option(
      names = {"-6", "--version6"},
      description = "IPv6 only.")
  boolean ipv6;

  @Option(
      names = {"-S", "--tos"},
      paramLabel = "N",
      description = "Type of service of TCP and UDP packets, 0 to 255, also 0x.. and 0...")
  @Nullable String tos;

  @Option(
      names = "--dscp",
      paramLabel = "N",
      description = "The same by code point: 0 to 63, or a name such as ef, af31, cs1, le.")
  @Nullable String dscp;

  @Option(
      names = "--cport",
      paramLabel = "PORT",
      description = "TCP's or UDP's port here; further streams have those after it.")
  @Nullable String clientPort;

  @Option(
      names = {"--repeating-payload", "--udp-counters-64bit", "--forceflush"},
      hidden = true,
      description = "As it always is here.")
  boolean always;

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
      description =
          "Socket buffers (default: the system's own; UDP "
              + UdpMechanism.SOCKET_BUFFER_MEBIBYTES
              + " MiB).")
  @Nullable String window;

  @Option(
      names = {"-B", "--bind"},
      paramLabel = "ADDRESS",
      description = "Send from this address of this machine.")
  @Nullable String bind;

  @Option(
      names = "--iperf3",
      description =
          "Speak iperf3's protocol from the start, not only when the server turns out to be"
              + " 'iperf3 -s' (default port "
              + Iperf3Wire.DEFAULT_PORT
              + ").")
  boolean iperf3;

  @Option(
      names = "--rcv-timeout",
      paramLabel = "TIME",
      defaultValue = "120s",
      description =
          "Give up when nothing comes for so long of what the server is to send; a number alone is"
              + " ms (default: ${DEFAULT-VALUE}).")
  String receiveTimeout = "120s";

  @Option(names = "--no-verify", description = "Do not compare the bytes that arrive.")
  boolean noVerify;

  /** Adds the options of all mechanisms. */
  void addMechanisms(CommandSpec spec) {
    mechanisms.addChoice(spec);
    mechanisms.addOwn(spec);
    foreign.addTo(spec);
  }

  /**
   * What the options ask for of {@code ebb net server}, or with {@code --iperf3} of iperf3's.
   *
   * @throws EbbException USAGE with one line
   */
  NetPlan plan(String host) {
    return plan(host, ServerKind.EBB, none -> {});
  }

  /**
   * The same of whichever of the two is found.
   *
   * @param onServer hears what server that was
   */
  NetPlan plan(String host, Consumer<NetPlan> onServer) {
    return plan(host, ServerKind.EITHER, onServer);
  }

  private NetPlan plan(String host, ServerKind kind, Consumer<NetPlan> onServer) {
    foreign.refuse();
    if (ipv4 && ipv6) {
      throw usage("-4 and -6 exclude each other");
    }
    path.family = ipv4 ? Inet4Address.class : ipv6 ? Inet6Address.class : InetAddress.class;
    try {
      Mechanism mechanism = mechanisms.mechanism();
      FlowOpening flows = mechanisms.of(mechanism).opening();
      TestSpec spec = spec(mechanism);
      mechanism.check(spec);
      NetPlan plan =
          path.plan(server(host), spec)
              .kind(kind)
              .elsewhere(
                  kind == ServerKind.EBB || iperf3 || path.namesPort(host)
                      ? null
                      : path.server(host, Iperf3Wire.DEFAULT_PORT))
              .onServer(onServer)
              .receiveTimeoutMicros(OptionValues.microsOfMillis("--rcv-timeout", receiveTimeout))
              .flows(flows)
              .intervalMicros(intervalMicros())
              .warmUpMicros(warmUpMicros())
              .durationMicros(spec.amountBytes() > 0 ? 0 : durationMicros())
              .local(bind == null ? null : new InetSocketAddress(Addresses.host(bind), 0))
              .clientPort(clientPort(mechanism))
              .build();
      return iperf3 ? byIperf3(plan) : plan;
    } catch (IllegalArgumentException wrong) {
      throw usage("" + wrong.getMessage());
    }
  }

  private static NetPlan byIperf3(NetPlan plan) {
    try {
      return plan.byIperf3();
    } catch (IllegalArgumentException cannot) {
      throw usage("--iperf3: " + cannot.getMessage());
    }
  }

  private InetSocketAddress server(String host) {
    return iperf3 ? path.server(host, Iperf3Wire.DEFAULT_PORT) : path.server(host);
  }

  private long warmUpMicros() {
    return OptionValues.micros("-O", omit);
  }

  /** What {@link #plan} planned is over. */
  void close() {
    mechanisms.close();
  }

  private long intervalMicros() {
    long micros = OptionValues.micros("-i", interval);
    if (micros == 0) {
      return NetPlan.NO_SAMPLES; // As iperf3: no lines in between.
    }
    if (micros < MIN_INTERVAL_MICROS) {
      throw usage("-i must be at least 0.05 s, or 0 for no lines in between");
    }
    return micros;
  }

  /** Whether the user ends it. */
  boolean endless() {
    return time != null && OptionValues.micros("-t", time) == 0;
  }

  private long durationMicros() {
    if (endless()) {
      return ServerLimits.DEFAULT_MAX_MICROS - OptionValues.micros("-O", omit);
    }
    return time == null ? DEFAULT_SECONDS * 1_000_000L : OptionValues.micros("-t", time);
  }

  private void refuseTwoEnds() {
    List<String> ends = new ArrayList<>();
    ends.addAll(time == null ? List.of() : List.of("-t"));
    ends.addAll(amount == null ? List.of() : List.of("-n"));
    ends.addAll(messages == null ? List.of() : List.of("-k"));
    if (ends.size() > 1) {
      throw usage(String.join(" and ", ends) + " exclude each other");
    }
  }

  private long amountBytes(long messageBytes) {
    if (messages != null) {
      long count = OptionValues.bytes("-k", messages);
      if (count < Math.max(1, parallel) || count > (1L << 60) / messageBytes) {
        throw usage("-k must be at least one message a stream, and not more than there can be");
      }
      return count / Math.max(1, parallel) * messageBytes * Math.max(1, parallel);
    }
    return amount == null ? 0 : OptionValues.bytes("-n", amount);
  }

  /** iperf3's longest blocks exist in no stream; only how often they are written would differ. */
  private long messageBytes(Mechanism mechanism, Mode how) {
    if (length == null) {
      return mechanism.usualMessageBytes(how);
    }
    long asked = OptionValues.bytes("-l", length);
    boolean blocks = mechanism.name().equals("tcp") && how == Mode.STREAMING;
    long most = blocks ? LONGEST_BLOCK_BYTES : TestSpec.MAX_MESSAGE_BYTES;
    if (asked < 1 || asked > most) {
      throw usage("-l is between 1 and " + most + " bytes: " + length);
    }
    return Math.min(asked, TestSpec.MAX_MESSAGE_BYTES);
  }

  private long windowBytes() {
    long asked = window == null ? 0 : OptionValues.bytes("-w", window);
    if (asked > TestSpec.MAX_WINDOW_BYTES) {
      throw usage("-w is at most 1 GiB: " + window);
    }
    return asked;
  }

  private void mark(TestSpec.Builder spec, Mechanism mechanism) {
    if (tos != null && dscp != null) {
      throw usage("-S and --dscp exclude each other");
    }
    if (tos == null && dscp == null) {
      return;
    }
    String option = tos != null ? "-S" : "--dscp";
    if (!mechanism.name().equals("ledbat")) {
      onlyOfKernels(option, mechanism);
    }
    if (mechanism.isDatagrams() && (reverse || bidir)) {
      throw usage(option + ": a server marks no datagrams that it sends (-u with -R or --bidir)");
    }
    ServiceMark.put(spec, tos != null ? TypeOfService.tos(tos) : TypeOfService.ofDscp("" + dscp));
  }

  private int clientPort(Mechanism mechanism) {
    if (clientPort == null) {
      return 0;
    }
    onlyOfKernels("--cport", mechanism);
    int first = Addresses.port(clientPort, 1);
    if (first + parallel * (bidir ? 2 : 1) - 1 > 65_535) {
      throw usage("--cport: the ports of all streams must be below 65536");
    }
    return first;
  }

  private static void onlyOfKernels(String option, Mechanism mechanism) {
    if (!mechanism.name().equals("tcp") && !mechanism.name().equals("udp")) {
      throw usage(option + " is for tcp and udp, not " + mechanism.name());
    }
  }

  private TestSpec spec(Mechanism mechanism) {
    if (reverse && bidir) {
      throw usage("-R and --bidir exclude each other");
    }
    refuseTwoEnds();
    if (parallel < 1 || parallel > TestSpec.MAX_STREAMS) {
      throw usage("-P is between 1 and " + TestSpec.MAX_STREAMS + ": " + parallel);
    }
    Mode how = MechanismOptions.mode(mode);
    long messageBytes = messageBytes(mechanism, how);
    long total = amountBytes(messageBytes);
    if (amount != null && total < Math.max(1, parallel)) {
      throw usage("-n must be at least one byte a stream");
    }
    TestSpec.Builder spec =
        TestSpec.of(mechanism.name(), how)
            .directions(!reverse, reverse || bidir)
            .streams(parallel)
            .messageBytes(messageBytes)
            .bitsPerSecond(
                rate == null
                    ? mechanism.usualBitsPerSecond(how)
                    : OptionValues.bitsPerSecond("-b", rate))
            .amountBytes(total / Math.max(1, parallel))
            .maxMicros(total == 0 ? durationMicros() + OptionValues.micros("-O", omit) : 0)
            .windowBytes(windowBytes())
            .verify(!noVerify);
    mechanisms.of(mechanism).complete(spec);
    mark(spec, mechanism);
    return spec.build();
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}

package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.result.ResultRecord;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.Mechanisms;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.OptionValues;
import ebb.net.run.RunOutcome;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net sweep}. It owns the cases and their order. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Measure every combination of mechanisms, sizes and loads.",
      "Mechanisms, sizes, rates, amounts and clients, again and again,",
      "and print tables. Without a host it serves itself, over loopback."
    })
public final class NetSweepCommand implements EbbCommand {
  private static final long WARM_UP_MICROS = 300_000;

  /** What the presets' reports measured by. */
  private static final Mechanism TCP = Mechanisms.get("tcp");

  private static final Mechanism UDP = Mechanisms.get("udp");

  /** What the presets repeat. */
  enum Preset {
    /** Large amounts by TCP and UDP, streaming and stop-and-wait. */
    AMOUNTS("amounts", "seed-004"),
    /** Round trips of messages of several sizes, one client and two. */
    MESSAGES("messages", "seed-003"),
    /** Loss and jitter of UDP by rate. */
    UDP_RATES("udp-rates", "seed-000-udp");

    private final String label;
    private final String oldName;

    Preset(String label, String oldName) {
      this.label = label;
      this.oldName = oldName;
    }

    /** All names, for people. */
    static String names() {
      return "amounts, messages or udp-rates";
    }
  }

  @Parameters(arity = "0..1", paramLabel = "HOST[:PORT]", description = "The server.")
  @Nullable String host;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = "amounts, messages or udp-rates: the cases and tables of a report.")
  @Nullable String preset;

  @Mixin private CasesOption measured = new CasesOption();

  @Option(
      names = "--modes",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "streaming",
      description = "Of streaming, stop-and-wait (default: ${DEFAULT-VALUE}).")
  List<String> modes = List.of("streaming");

  @Option(
      names = {"-l", "--length"},
      paramLabel = "LIST",
      split = ",",
      defaultValue = "1400",
      description = "Message sizes (default: ${DEFAULT-VALUE}).")
  List<String> lengths = List.of("1400");

  @Option(
      names = {"-b", "--bitrate"},
      paramLabel = "LIST",
      split = ",",
      defaultValue = "0",
      description = "Rates; 0 for no bound (default: ${DEFAULT-VALUE}).")
  List<String> rates = List.of("0");

  @Option(
      names = {"-n", "--bytes"},
      paramLabel = "LIST",
      split = ",",
      description = "Amounts, instead of a time.")
  List<String> amounts = List.of();

  @Option(
      names = {"-t", "--time"},
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Of each run without -n (default: ${DEFAULT-VALUE}).")
  String time = "5";

  @Option(
      names = "--clients",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "1",
      description = "Clients at once (default: ${DEFAULT-VALUE}).")
  List<Integer> clients = List.of(1);

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs of each case (default: ${DEFAULT-VALUE}).")
  int repeat = 1;

  @Option(
      names = "--no-warm-up",
      description = "Begin at once: the first runs then are slower, for Java compiles as it runs.")
  boolean noWarmUp;

  @Mixin NetPathOptions path = new NetPathOptions();
  @Mixin NetResultFiles files = new NetResultFiles();

  @Override
  public String group() {
    return "net";
  }

  @Override
  public Integer call() throws InterruptedException {
    CasesOption.checkRepeat(repeat);
    files.checkWritable();
    Preset known = preset();
    List<SweepCase> cases;
    try {
      cases = known == null ? cases() : cases(known);
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
    InetSocketAddress named = host == null ? null : path.server(host);
    ResultRecord.Builder result = ResultRecord.of("net sweep");
    try (NetSession session = NetSession.open();
        NetServer own = named == null ? ownServer() : null) {
      InetSocketAddress server = own != null ? own.localAddress() : named;
      if (server == null) {
        throw new IllegalStateException("no server");
      }
      return sweep(cases, known, server, session, result).value();
    }
  }

  private @Nullable Preset preset() {
    if (preset == null) {
      return null;
    }
    for (Preset known : Preset.values()) {
      if (known.label.equalsIgnoreCase(preset) || known.oldName.equalsIgnoreCase(preset)) {
        return known;
      }
    }
    throw new EbbException(ExitCode.USAGE, "--preset is " + Preset.names() + ": " + preset);
  }

  /** All combinations of what the options list. */
  private List<SweepCase> cases() {
    List<SweepCase> cases = new ArrayList<>();
    long micros = OptionValues.micros("-t", time);
    List<String> ends = amounts.isEmpty() ? List.of("0") : amounts;
    for (int count : clients) {
      if (count < 1 || count > 1_000) {
        throw new EbbException(ExitCode.USAGE, "--clients is between 1 and 1000: " + count);
      }
      for (Mechanism protocol : measured.mechanisms()) {
        for (Mode mode : CasesOption.modes(modes)) {
          for (String length : lengths) {
            for (long rate : CasesOption.rates(rates)) {
              for (String amount : ends) {
                long bytes = OptionValues.bytes("-n", amount);
                cases.add(
                    SweepCase.of(
                        spec(
                            protocol,
                            mode,
                            OptionValues.bytes("-l", length),
                            rate,
                            bytes,
                            bytes > 0 ? 0 : micros),
                        bytes > 0 ? 0 : micros,
                        count));
              }
            }
          }
        }
      }
    }
    return cases;
  }

  private List<SweepCase> cases(Preset known) {
    List<SweepCase> cases = new ArrayList<>();
    switch (known) {
      case AMOUNTS -> {
        // 500 MB, 1 GB and 2 GB in powers of 1024, buffers of 65,535 and 9,216 bytes.
        List<String> sizes = amounts.isEmpty() ? List.of("500Mi", "1Gi", "2Gi") : amounts;
        for (Mechanism protocol : List.of(TCP, UDP)) {
          for (Mode mode : List.of(Mode.STREAMING, Mode.STOP_AND_WAIT)) {
            for (String size : sizes) {
              int bytes = protocol == TCP ? 65_535 : 9_216;
              boolean paced = protocol == UDP && mode == Mode.STREAMING;
              cases.add(
                  SweepCase.of(
                      spec(
                          protocol,
                          mode,
                          bytes,
                          paced ? OptionValues.bitsPerSecond("-b", rates.get(0)) : 0,
                          OptionValues.bytes("-n", size),
                          0),
                      0,
                      1));
            }
          }
        }
      }
      case MESSAGES -> {
        // 1,000 packets of 1 byte, 1 KB and 64 KB, by one client and by two.
        for (Mechanism protocol : List.of(TCP, UDP)) {
          int largest = protocol == TCP ? 65_535 : UDP.maxMessageBytes();
          for (int count : List.of(1, 2)) {
            for (int bytes : List.of(1, 1_024, largest)) {
              cases.add(
                  SweepCase.of(
                      spec(protocol, Mode.STOP_AND_WAIT, bytes, 0, 1_000L * bytes, 0), 0, count));
            }
          }
        }
      }
      case UDP_RATES -> {
        long micros = OptionValues.micros("-t", time);
        for (int megabits : List.of(10, 20, 30, 50, 100, 150)) {
          cases.add(
              SweepCase.of(
                  spec(UDP, Mode.STREAMING, 1_400, megabits * 1_000_000L, 0, micros), micros, 1));
        }
      }
    }
    return cases;
  }

  private static TestSpec spec(
      Mechanism protocol, Mode mode, long bytes, long rate, long amount, long micros) {
    TestSpec spec =
        TestSpec.of(protocol.name(), mode)
            .messageBytes(bytes)
            .bitsPerSecond(rate)
            .amountBytes(amount)
            .maxMicros(micros)
            .build();
    protocol.check(spec);
    return spec;
  }

  private ExitCode sweep(
      List<SweepCase> cases,
      @Nullable Preset known,
      InetSocketAddress server,
      NetSession session,
      ResultRecord.Builder result)
      throws InterruptedException {
    Output output = Output.standard(files.json);
    Progress progress = Progress.standard(output);
    EbbException failure = null;
    if (!noWarmUp) {
      warmUp(cases, server, session, progress);
    }
    int total = cases.size() * repeat;
    int number = 0;
    for (SweepCase each : cases) {
      for (int run = 1; run <= repeat && failure == null && !session.stopped(); run++) {
        number++;
        String doing = "run " + number + " of " + total + ": " + each.name();
        progress.update(() -> doing);
        List<RunOutcome> outcomes;
        try {
          outcomes = run(each, server, session);
        } catch (EbbException none) {
          if (number == 1) {
            throw none;
          }
          failure = NetFigures.afterOthers(none, number, total);
          break;
        }
        each.runs().add(outcomes);
        for (int client = 0; client < outcomes.size(); client++) {
          RunOutcome outcome = outcomes.get(client);
          result.row(row(each, run, client + 1, outcome));
          outcome
              .disagreements()
              .forEach(line -> result.warning(each.name() + ": the ends do not agree: " + line));
          failure = outcome.failure() == null ? failure : outcome.failure();
        }
      }
    }
    progress.clear();
    tables(cases, known, server).forEach(output::line);
    if (failure != null) {
      output.note("ebb: " + failure.getMessage());
      result.warning("incomplete: " + failure.getMessage());
    }
    ExitCode code = failure == null ? ExitCode.DONE : failure.exitCode();
    code = code == ExitCode.DONE && session.stopped() ? ExitCode.INCOMPLETE : code;
    result.figure("warm_up_micros", noWarmUp ? 0 : WARM_UP_MICROS);
    result.figure("cases", cases.size()).figure("repeat", repeat);
    result.fact(Keys.SERVER, Addresses.text(server));
    result.fact("preset", known == null ? "" : known.label);
    ResultRecord record = result.build(code == ExitCode.DONE, code.value());
    output.json(record.toJson());
    files.write(record);
    return code;
  }

  /** Each mechanism for a moment, counted nowhere, so that no case pays for being the first. */
  private void warmUp(
      List<SweepCase> cases, InetSocketAddress server, NetSession session, Progress progress)
      throws InterruptedException {
    Set<String> seen = new HashSet<>();
    for (SweepCase each : cases) {
      TestSpec spec = each.spec();
      if (!session.stopped() && seen.add(spec.name() + spec.messageBytes())) {
        progress.update(() -> "warming up: " + spec.name());
        TestSpec brief = spec.toBuilder().amountBytes(0).maxMicros(WARM_UP_MICROS).build();
        session.run(path.plan(server, brief).durationMicros(WARM_UP_MICROS).build());
      }
    }
  }

  private static List<String> tables(
      List<SweepCase> cases, @Nullable Preset known, InetSocketAddress server) {
    if (known == null) {
      return SweepTables.plain(cases);
    }
    return switch (known) {
      case AMOUNTS -> SweepTables.transfers(cases);
      case MESSAGES -> SweepTables.sizes(cases);
      case UDP_RATES -> SweepTables.rates(cases, Addresses.text(server));
    };
  }

  private List<RunOutcome> run(SweepCase each, InetSocketAddress server, NetSession session)
      throws InterruptedException {
    List<CompletableFuture<RunOutcome>> running = new ArrayList<>();
    for (int client = 0; client < each.clients(); client++) {
      running.add(
          session.start(
              path.plan(server, each.spec()).durationMicros(each.durationMicros()).build(),
              sample -> {},
              micros -> {}));
    }
    List<RunOutcome> outcomes = new ArrayList<>();
    for (CompletableFuture<RunOutcome> run : running) {
      outcomes.add(NetSession.await(run));
    }
    return outcomes;
  }

  private static Map<String, @Nullable Object> row(
      SweepCase each, int run, int client, RunOutcome outcome) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put(Keys.PROTOCOL, each.spec().protocol());
    row.put(Keys.MODE, each.spec().mode().text());
    row.put(Keys.MESSAGE_BYTES, (long) each.spec().messageBytes());
    row.put(Keys.ASKED_RATE, each.spec().bitsPerSecond());
    row.put("amount_bytes", each.spec().amountBytes());
    row.put("clients", (long) each.clients());
    row.put("client", (long) client);
    row.put(Keys.RUN, (long) run);
    row.putAll(NetFigures.row(outcome));
    return row;
  }

  static NetServer ownServer() throws InterruptedException {
    try {
      return NetServer.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          ServerLimits.NONE,
          new Silent());
    } catch (BindException taken) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "" + taken.getMessage(), taken);
    }
  }

  /** Says nothing about this process's own clients. */
  private static final class Silent implements NetServer.Listener {
    @Override
    public void onSessionEnd(SessionReport report) {}

    @Override
    public void onRefused(InetSocketAddress client, Refused refused) {}
  }
}

package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.KeyOption;
import ebb.core.cli.LineBudget;
import ebb.core.cli.Output;
import ebb.core.time.MicroClock;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.FlowCounts;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.OptionValues;
import ebb.net.mechanism.ServerOptions;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code ebb net server}. */
@Command(
    name = "server",
    modelTransformer = MechanismOptions.Transformer.class,
    description = {
      "Serve clients that measure the path to here.",
      "'ebb net client' many at once, 'ebb net yield' alone. One port number, TCP and UDP, and the next one for plain UDP. Counts what arrives",
      "and keeps nothing; sends only to addresses that have proven themselves."
    })
public final class NetServerCommand implements EbbCommand, MechanismOptions.Holder {
  private static final String DEFAULT_MAX_TIME = "2h";

  /** RFC 6817 is LEDBAT. */
  public static final String DEFAULT_PORT = "6817";

  private static final long STOP_MILLIS = 3_000;

  /** Clients cause lines: this many at once, and one for each interval after that. */
  public static final int LINES_AT_ONCE = 1_000;

  public static final long LINE_INTERVAL_MICROS = 500_000;

  /** The same of those who are refused. */
  public static final int REFUSALS_AT_ONCE = 10;

  public static final long REFUSAL_INTERVAL_MICROS = 10_000_000;

  @Option(
      names = {"-s", "--server"},
      hidden = true,
      description = "As in 'ebb net -s'.")
  boolean server;

  @Option(
      names = {"-B", "--bind"},
      paramLabel = "ADDRESS",
      description = "Listen on this address only (default: all).")
  @Nullable String bind;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = DEFAULT_PORT,
      description =
          "TCP and UDP port; 0 takes a free one and says which (default: ${DEFAULT-VALUE}).")
  String port = DEFAULT_PORT;

  @Option(
      names = {"-1", "--once", "--one-off"},
      description = "End after the first client; with exit code 5 if it did not finish.")
  boolean once;

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      defaultValue = DEFAULT_MAX_TIME,
      description = "Refuse longer tests (default: ${DEFAULT-VALUE}).")
  String maxTime = DEFAULT_MAX_TIME;

  @Option(
      names = "--max-rate",
      paramLabel = "RATE",
      description = "Refuse tests that ask for more than this each way (default: no bound).")
  @Nullable String maxRate;

  @Option(
      names = "--max-clients",
      paramLabel = "N",
      defaultValue = "" + ServerLimits.DEFAULT_SESSIONS,
      description = "Clients at once (default: ${DEFAULT-VALUE}).")
  int maxClients = ServerLimits.DEFAULT_SESSIONS;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = {
        "Serve only clients that prove that they have the key in FILE ('ebb key new FILE' makes",
        "one). What is measured is not encrypted."
      })
  @Nullable Path keyFile;

  @Option(
      names = {"-4", "--version4"},
      description = "Listen on all IPv4 addresses, as without -B.")
  boolean ipv4;

  @Option(
      names = {"-6", "--version6"},
      description = "Listen on all IPv6 addresses.")
  boolean ipv6;

  @Option(
      names = {"-V", "--verbose", "--forceflush"},
      hidden = true,
      description = "As it always is here.")
  boolean always;

  @Mixin ProcessOptions process = new ProcessOptions();

  private final ForeignOptions foreign = ForeignOptions.ofServers();
  private Map<Mechanism, ServerOptions> mechanisms = Map.of();

  @Override
  public void addMechanisms(CommandSpec spec) {
    mechanisms = MechanismOptions.ofServer(spec);
    foreign.addTo(spec);
  }

  @Override
  public String group() {
    return "net";
  }

  @Override
  @SuppressWarnings("try") // the registration is there to be closed
  public Integer call() throws InterruptedException {
    foreign.refuse();
    String any = ipv6 ? "::" : "0.0.0.0";
    InetSocketAddress local =
        new InetSocketAddress(Addresses.host(bind == null ? any : bind), Addresses.port(port, 0));
    ServerLimits limits = limits();
    CompletableFuture<ExitCode> end = new CompletableFuture<>();
    try (PidFile pid = PidFile.write(process.pidFile);
        NetOutput output = NetOutput.open(false, process.logfile);
        NetServer running = start(local, limits, new View(output.output(), once, end))) {
      output
          .output()
          .note(
              "ebb: listening on "
                  + Addresses.text(running.localAddress())
                  + ", TCP and UDP; "
                  + String.join("; ", running.listening()));
      try (Interrupts.Registration interrupts =
          Interrupts.onInterrupt(
              STOP_MILLIS,
              once ? ExitCode.INCOMPLETE : ExitCode.DONE,
              () -> {
                running.close();
                if (running.strangers() > 0) {
                  output
                      .output()
                      .note(
                          "ebb: dropped "
                              + running.strangers()
                              + " connections and datagrams of strangers");
                }
                output.close();
              })) {
        return end.get().value();
      }
    } catch (ExecutionException broken) {
      throw new IllegalStateException(broken.getCause());
    }
  }

  /** What the options say. */
  ServerLimits limits() {
    long micros = OptionValues.micros("--max-time", maxTime);
    long rate = maxRate == null ? 0 : OptionValues.bitsPerSecond("--max-rate", maxRate);
    try {
      return new ServerLimits(micros, rate, maxClients, NetKey.of(KeyOption.read(keyFile)));
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
  }

  private NetServer start(InetSocketAddress local, ServerLimits limits, NetServer.Listener listener)
      throws InterruptedException {
    try {
      return NetServer.start(local, mechanisms, limits, listener);
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    } catch (BindException taken) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "" + taken.getMessage(), taken);
    }
  }

  /** A line for each thing that happens. */
  private record View(
      Output output,
      LineBudget clients,
      LineBudget reports,
      LineBudget refusals,
      boolean once,
      CompletableFuture<ExitCode> end)
      implements NetServer.Listener {
    View(Output output, boolean once, CompletableFuture<ExitCode> end) {
      this(
          output,
          new LineBudget(MicroClock.system(), LINES_AT_ONCE, LINE_INTERVAL_MICROS),
          new LineBudget(MicroClock.system(), LINES_AT_ONCE, LINE_INTERVAL_MICROS),
          new LineBudget(MicroClock.system(), REFUSALS_AT_ONCE, REFUSAL_INTERVAL_MICROS),
          once,
          end);
    }

    @Override
    public void onTest(InetSocketAddress client, TestSpec spec) {
      clients.ask("ebb: " + Addresses.text(client) + " measures").ifPresent(output::note);
    }

    @Override
    public void onAcceptFailed(String why) {
      refusals.ask("ebb: cannot take a connection: " + why).ifPresent(output::note);
    }

    @Override
    public void onSessionEnd(SessionReport report) {
      reports
          .ask(
              String.format(
                  Locale.ROOT,
                  "%s: %s in %s%s",
                  Addresses.text(report.client()),
                  what(report),
                  Human.micros(report.micros()),
                  report.complete() ? "" : ", not complete: " + report.why()))
          .ifPresent(output::line);
      boolean visited = report.complete() || report.test() != null; // Else it only knocked.
      if (once && visited && !report.guest()) {
        end.complete(report.complete() ? ExitCode.DONE : ExitCode.INCOMPLETE);
      }
    }

    private static String what(SessionReport report) {
      TestSpec test = report.test();
      if (test == null) {
        return report.complete() ? "had the server for itself" : "measured nothing";
      }
      StringBuilder words = new StringBuilder(test.name());
      if (test.up()) {
        counts(words, ", read", report.received());
      }
      if (test.down()) {
        counts(words, ", sent", report.sent());
      }
      return words.toString();
    }

    private static void counts(StringBuilder words, String verb, FlowCounts counts) {
      words.append(verb).append(' ').append(counts.messages()).append(" messages, ");
      words.append(counts.bytes()).append(" bytes");
      if (counts.lost() > 0) {
        words.append(", ").append(counts.lost()).append(" lost");
      }
      if (counts.duplicates() > 0) {
        words.append(", ").append(counts.duplicates()).append(" duplicates");
      }
      if (counts.corrupt() > 0) {
        words.append(", ").append(counts.corrupt()).append(" corrupt");
      }
    }

    @Override
    public void onRefused(InetSocketAddress client, Refused refused) {
      refusals
          .ask("ebb: refused " + Addresses.text(client) + ": " + refused.reason())
          .ifPresent(output::note);
    }
  }
}

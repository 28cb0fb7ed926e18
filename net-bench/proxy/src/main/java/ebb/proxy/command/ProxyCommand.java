package ebb.proxy.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.LineBudget;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.process.InPlaceProgram;
import ebb.core.process.Program;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.core.time.MicroClock;
import ebb.ledbat.command.Addresses;
import ebb.proxy.rule.ClassRules;
import ebb.proxy.rule.RateSchedule;
import ebb.proxy.server.BackgroundSteering;
import ebb.proxy.server.Limits;
import ebb.proxy.server.ProxyServer;
import ebb.proxy.server.ProxySettings;
import ebb.proxy.server.Steering;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb proxy}. */
@Command(
    name = "proxy",
    mixinStandardHelpOptions = true,
    description = {
      "Move other programs' TCP connections in the background.",
      "A SOCKS 5 and HTTP proxy on one port, for this host only. With a command behind --, runs it",
      "through the proxy and ends with its exit code: ebb proxy -- curl -O https://example.com/file"
    })
public final class ProxyCommand implements EbbCommand {
  private static final String DEFAULT_PORT = "1080";
  private static final String DEFAULT_LISTEN = "127.0.0.1";
  private static final long STOP_MILLIS = 5_000;
  private static final long LOOK_MILLIS = 200;
  private static final int NOTES_AT_ONCE = 10;
  private static final long NOTE_INTERVAL_MICROS = 10_000_000;
  private static final int LIVE_OFF = -1;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      description =
          "Listen on this port; 0 takes a free one and says which (default: "
              + DEFAULT_PORT
              + "; with a command, a free one).")
  @Nullable String port;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = DEFAULT_LISTEN,
      description =
          "Listen on this address, or this ADDRESS:PORT (default: ${DEFAULT-VALUE}). Beyond"
              + " loopback only with --password-file.")
  String listen = DEFAULT_LISTEN;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = {
        "Serve only those who know the user and the password in FILE, one line USER:PASSWORD, or a",
        "key of 'ebb key new FILE' with the user ebb. They cross the network in the clear."
      })
  @Nullable Path passwordFile;

  @Option(
      names = "--class",
      paramLabel = "HOSTS=CLASS",
      description = {
        "How connections to some hosts are treated; may be given often, the first that fits"
            + " counts.",
        "HOSTS: example.com, *.example.com, 10.*, *:443. CLASS: foreground or background, and then",
        "target=TIME, the queue that background connections may make, 2ms to 100ms, and limit=RATE",
        "for all of them together (default: all in the background)."
      })
  List<String> classes = List.of();

  @Option(
      names = "--limit",
      paramLabel = "[TIMES=]RATE",
      description = {
        "What all connections together may take in each direction, such as 20M. With times of the",
        "day, 08:00-18:00=5M, or 22:00-06:00=none, may be given often; the first that fits counts",
        "(default: no limit)."
      })
  List<String> limits = List.of();

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "" + Limits.CONNECTIONS,
      description =
          "Connections at once, fewer where there are too few file descriptors (default:"
              + " ${DEFAULT-VALUE}).")
  int maxConnections = Limits.CONNECTIONS;

  @Option(
      names = "--live",
      paramLabel = "PORT",
      description = "Show who uses what on a page on this port of 127.0.0.1; 0 takes a free one.")
  @Nullable String live;

  @Option(
      names = "--log",
      description =
          "Print a line for each connection that has ended, with its host; addresses of pages are"
              + " never printed.")
  boolean log;

  @Option(names = "--json", description = "Print the result as JSON at the end.")
  boolean json;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = {
        "Behind --: a command to run with ALL_PROXY, HTTP_PROXY and HTTPS_PROXY set. Those that",
        "heed none of them are not steered."
      })
  List<String> command = List.of();

  @Override
  public Integer call() throws InterruptedException {
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("proxy");
    Steering steering = new BackgroundSteering();
    try (ProxyServer proxy = start(settings(output, steering))) {
      output.note("ebb: " + greeting(proxy, steering));
      View view = new View(proxy, output, result, steering);
      return command.isEmpty() ? serve(view) : run(proxy, view);
    }
  }

  private ProxySettings settings(Output output, Steering steering) {
    if (maxConnections < 1) {
      throw usage("--max-connections has to be 1 or more");
    }
    LineBudget notes = new LineBudget(MicroClock.system(), NOTES_AT_ONCE, NOTE_INTERVAL_MICROS);
    Consumer<String> note =
        line ->
            notes
                .ask("ebb: " + line)
                .ifPresent(shown -> output.note(TerminalText.printable(shown)));
    Limits usual = Limits.defaults(maxConnections);
    if (usual.connections() < maxConnections) {
      output.note(
          "ebb: "
              + usual.connections()
              + " connections at most: there are too few file descriptors for more (ulimit -n)");
    }
    try {
      return new ProxySettings(
          usual,
          ClassRules.parse(classes),
          RateSchedule.parse(limits),
          steering,
          InetAddress::getAllByName,
          passwordFile == null ? null : PasswordFile.read(passwordFile),
          live == null ? LIVE_OFF : Addresses.port(live, 0),
          note,
          log ? line -> output.note(TerminalText.printable(line)) : null);
    } catch (IllegalArgumentException wrong) {
      throw usage(OneLine.of(wrong));
    }
  }

  private ProxyServer start(ProxySettings settings) throws InterruptedException {
    String asked = port == null ? command.isEmpty() ? DEFAULT_PORT : "0" : port;
    if (port != null && Addresses.hasPort(listen)) {
      throw usage("'--listen " + listen + "' has a port already, and --port is another");
    }
    InetSocketAddress local = Addresses.local(listen, asked);
    try {
      return ProxyServer.start(local, settings);
    } catch (IllegalArgumentException open) {
      throw usage(OneLine.of(open) + " (--password-file)");
    } catch (IOException taken) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "cannot listen on " + Addresses.text(local) + ": " + OneLine.of(taken),
          taken);
    }
  }

  private static String greeting(ProxyServer proxy, Steering steering) {
    return "listening on "
        + Addresses.text(proxy.address())
        + ", SOCKS 5 and HTTP; "
        + steering.describe()
        + proxy
            .pageAddress()
            .map(page -> "; who uses what: http://" + Addresses.text(page) + "/")
            .orElse("");
  }

  @SuppressWarnings("try") // the registration is there to be closed
  private static Integer serve(View view) throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    try (Interrupts.Registration interrupts =
        Interrupts.untilClosed(STOP_MILLIS, ExitCode.DONE, stop::countDown)) {
      while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        view.progress();
      }
      view.end(ExitCode.DONE.value());
      return ExitCode.DONE.value();
    }
  }

  private Integer run(ProxyServer proxy, View view) throws InterruptedException {
    InetSocketAddress at = proxy.address();
    boolean everywhere = at.getAddress().isAnyLocalAddress();
    String address = everywhere ? "127.0.0.1:" + at.getPort() : Addresses.text(at);
    Program program = Program.of(command);
    for (String name : List.of("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY")) {
      String value = (name.equals("ALL_PROXY") ? "socks5h://" : "http://") + address;
      program.with(name, value).with(name.toLowerCase(Locale.ROOT), value);
    }
    int code;
    try {
      InPlaceProgram running = program.startInPlace();
      code = running.awaitEnd();
    } catch (IOException notThere) {
      throw usage(OneLine.of(notThere));
    }
    view.end(code);
    return code;
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}

package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.net.Mechanisms;
import ebb.net.command.NetServerCommand;
import ebb.net.command.ServerProbe;
import ebb.net.run.RunOutcome;
import ebb.vm.plan.PlanFile;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ebb vm check}: each step on the way to a server, until one fails. It owns the steps and
 * their words; the round trips are those of {@code ebb net ping}.
 */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Say which step fails on the way to a host, or check a plan.",
      "Opens TCP and UDP to a VM or any host.",
      "'ebb net server' has to run there; round trips are shown. With --zone the VM is looked up",
      "first. A plan is held against the service before anything is made: accounts and their"
          + " rights,",
      "services, images, machine types, disks, networks, quotas, rules, money."
    })
public final class VmCheckCommand implements EbbCommand {
  private static final int MESSAGES = 10;
  private static final int MESSAGE_BYTES = 64;

  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();
  @Mixin Checkup checkup = new Checkup();

  @Parameters(
      index = "0",
      paramLabel = "HOST|VM|PLAN.toml",
      description = "A host name or address; with --zone, a VM's name; or a plan.")
  String host = "";

  @Option(names = "--zone", paramLabel = "ZONE", description = "Where the VM is.")
  @Nullable String zone;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = NetServerCommand.DEFAULT_PORT,
      description = "The server's port (default: ${DEFAULT-VALUE}).")
  String port = NetServerCommand.DEFAULT_PORT;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "How long to wait at each step (default: ${DEFAULT-VALUE}).")
  String connectTimeout = "5s";

  @Option(
      names = "--server-key-file",
      paramLabel = "FILE",
      description = "Prove to the server that you have the key in FILE.")
  @Nullable Path serverKeyFile;

  @Option(names = "--internal", description = "By the VM's internal address.")
  boolean internal;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  private final ResultRecord.Builder result = ResultRecord.of("vm check");
  private Output output = Output.standard(false);

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() throws InterruptedException {
    output = Output.standard(json);
    if (zone == null && host.endsWith(".toml")) {
      checkup.run(PlanFile.read(Path.of(host)), options, output, result);
      output.json(result.build(true, 0).toJson());
      return ExitCode.DONE.value();
    }
    ExitCode code = check();
    output.json(result.build(code == ExitCode.DONE, code.value()).toJson());
    return code.value();
  }

  private ExitCode check() throws InterruptedException {
    int number = Addresses.port(port, 1);
    String hint = "";
    String address = host;
    if (zone != null) {
      VmTarget.Found found =
          VmTarget.find(
              options,
              providers,
              zone,
              host,
              internal,
              number,
              List.of(number, Math.min(65_535, number + 1)),
              text -> output.note(TerminalText.printable(text)));
      found.steps().forEach(step -> step(step.name(), step.ok(), step.words()));
      if (found.address() == null) {
        return ExitCode.CANNOT_CONNECT;
      }
      address = found.address();
      hint = found.hint();
    }
    InetSocketAddress server;
    try {
      server = Addresses.remote(address, port);
    } catch (EbbException e) {
      if (e.exitCode() == ExitCode.USAGE) {
        throw e;
      }
      step("name", false, String.valueOf(e.getMessage()));
      return e.exitCode();
    }
    if (zone == null) {
      step("name", true, Addresses.text(server));
    }
    try (ServerProbe probe = new ServerProbe(connectTimeout, serverKeyFile)) {
      ExitCode tcp = trip(probe, server, "tcp", hint);
      if (tcp != ExitCode.DONE) {
        step("UDP", false, "not tried: a test of it is agreed on over TCP");
        return tcp;
      }
      return trip(probe, server, "udp", hint);
    }
  }

  /** Some round trips of one protocol. */
  private ExitCode trip(ServerProbe probe, InetSocketAddress server, String protocol, String hint)
      throws InterruptedException {
    String title = protocol.toUpperCase(Locale.ROOT);
    EbbException failure;
    try {
      RunOutcome outcome =
          probe.roundTrips(server, Mechanisms.get(protocol), MESSAGES, MESSAGE_BYTES);
      failure = outcome.failure();
      if (failure == null) {
        LatencyHistogram trips = outcome.latency();
        step(
            title,
            true,
            String.format(
                Locale.ROOT,
                "round trip %s min, %s mean, %s max (%d messages)",
                Human.micros((long) trips.minMicros()),
                Human.micros((long) trips.meanMicros()),
                Human.micros((long) trips.maxMicros()),
                trips.count()));
        String name = protocol + "_round_trip_";
        result.figure(name + "min_micros", trips.minMicros());
        result.figure(name + "mean_micros", trips.meanMicros());
        result.figure(name + "max_micros", trips.maxMicros());
        return ExitCode.DONE;
      }
    } catch (EbbException e) {
      failure = e;
    }
    String words = String.valueOf(failure.getMessage());
    step(title, false, hint.isEmpty() ? words : words + " (" + hint + ")");
    return failure.exitCode();
  }

  private void step(String name, boolean ok, String words) {
    output.line(
        TerminalText.printable(
            String.format(Locale.ROOT, "%-8s %-7s %s", name, ok ? "ok" : "failed", words)));
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("step", name);
    row.put("ok", ok);
    row.put("words", words);
    result.row(row);
    if (!ok) {
      result.warning(name + ": " + words);
    }
  }
}

package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.core.units.Micros;
import ebb.vm.port.Answer;
import ebb.vm.port.Firewall;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CreateFirewall;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb vm firewall} with its own subcommands. Only rules of Ebb's are seen by it. */
@Command(
    name = "firewall",
    mixinStandardHelpOptions = true,
    description = "Make, list and delete firewall rules.",
    subcommands = {
      VmFirewallCommand.Create.class,
      VmFirewallCommand.ListRules.class,
      VmFirewallCommand.Delete.class
    })
public final class VmFirewallCommand implements EbbCommand {
  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    throw new EbbException(ExitCode.USAGE, "create, list or delete? See 'ebb vm firewall --help'");
  }

  /** {@code ebb vm firewall create}. */
  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Let traffic in to the VMs that have a tag.")
  static final class Create implements Callable<Integer> {
    @Mixin VmOptions options = new VmOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The rule.")
    String name = "";

    @Option(
        names = "--allow",
        required = true,
        paramLabel = "PROTOCOL:PORTS",
        description = "Such as tcp:8080 or udp:8181,8182; can be repeated.")
    List<String> allow = new ArrayList<>();

    @Option(
        names = "--from",
        required = true,
        paramLabel = "RANGE",
        description = "From where, such as 198.51.100.7/32; can be repeated.")
    List<String> from = new ArrayList<>();

    @Option(
        names = "--to",
        required = true,
        paramLabel = "TAG",
        description = "To VMs with this tag; 'ebb vm create' gives them their run's id.")
    String to = "";

    @Option(
        names = "--network",
        paramLabel = "NAME",
        defaultValue = "default",
        description = "The network (default: ${DEFAULT-VALUE}).")
    String network = "default";

    @Option(
        names = "--expires-after",
        paramLabel = "TIME",
        defaultValue = "2h",
        description = "When 'ebb vm gc' may remove it (default: ${DEFAULT-VALUE}).")
    Micros expiresAfter = Micros.parse("2h");

    @Option(
        names = "--open-to-the-world",
        description = "That everybody is meant, as by 0.0.0.0/0.")
    boolean openToTheWorld;

    @Override
    public Integer call() {
      FirewallSpec spec = spec();
      Output output = Output.standard(false);
      try (VmSession session = ProviderOption.standardSession(options, null, output::note)) {
        session.answer(
            Answer.None.class, new CreateFirewall(ProvisionPort.newId(), spec, RequestId.fresh()));
        output.line("firewall rule " + name + " is there");
        return ExitCode.DONE.value();
      }
    }

    private FirewallSpec spec() {
      try {
        List<Allowed> allowed = new ArrayList<>();
        for (String one : allow) {
          allowed.add(Allowed.parse(one));
        }
        Instant end = Instant.now().plus(Duration.ofMillis(expiresAfter.micros() / 1_000));
        return new FirewallSpec(
            name,
            network,
            allowed,
            from,
            Set.of(),
            Set.of(to),
            openToTheWorld,
            new RunLabels(Owner.name(), to, end));
      } catch (IllegalArgumentException e) {
        throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
      }
    }
  }

  /** {@code ebb vm firewall list}. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the rules that Ebb has made.")
  static final class ListRules implements Callable<Integer> {
    @Mixin VmOptions options = new VmOptions();

    @Option(names = "--run", paramLabel = "ID", description = "Only those of this run.")
    @Nullable String run;

    @Option(names = "--json", description = "Print the result as JSON.")
    boolean json;

    @Override
    public Integer call() {
      Output output = Output.standard(json);
      try (VmSession session = ProviderOption.standardSession(options, null, output::note)) {
        List<Firewall> rules =
            session
                .answer(Answer.Firewalls.class, new ListFirewalls(ProvisionPort.newId(), run))
                .firewalls();
        LineTable table = new LineTable("RULE", "ALLOWS", "FROM", "TO", "ENDS");
        ResultRecord.Builder result =
            ResultRecord.of("vm firewall list").figure("rules", rules.size());
        Instant now = Instant.now();
        for (Firewall rule : rules) {
          table.add(
              rule.name(),
              String.join(" ", rule.allowed()),
              Stream.concat(
                      rule.sourceRanges().stream(),
                      rule.sourceTags().stream().map(tag -> "tag:" + tag))
                  .collect(Collectors.joining(" ")),
              String.join(" ", rule.targetTags()),
              LineTable.end(rule.labels(), now));
          result.row(row(rule));
        }
        table.print(output);
        if (rules.isEmpty()) {
          output.line("there are no firewall rules of Ebb's");
        }
        output.json(result.build(true, 0).toJson());
        return ExitCode.DONE.value();
      }
    }

    private static Map<String, @Nullable Object> row(Firewall rule) {
      RunLabels labels = rule.labels();
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("name", rule.name());
      row.put("network", rule.network());
      row.put("allowed", String.join(" ", rule.allowed()));
      row.put("sourceRanges", String.join(" ", rule.sourceRanges()));
      row.put("sourceTags", String.join(" ", rule.sourceTags()));
      row.put("targetTags", String.join(" ", rule.targetTags()));
      row.put("run", labels == null ? null : labels.runId());
      row.put("owner", labels == null ? null : labels.owner());
      row.put("expires", labels == null ? null : labels.expires().toString());
      return row;
    }
  }

  /** {@code ebb vm firewall delete}. */
  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Delete a rule that Ebb has made.")
  static final class Delete implements Callable<Integer> {
    @Mixin VmOptions options = new VmOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The rule.")
    String name = "";

    @Override
    public Integer call() {
      Output output = Output.standard(false);
      try (VmSession session = ProviderOption.standardSession(options, null, output::note)) {
        boolean ours =
            session
                .answer(Answer.Firewalls.class, new ListFirewalls(ProvisionPort.newId(), null))
                .firewalls()
                .stream()
                .anyMatch(rule -> rule.name().equals(name));
        if (!ours) {
          throw new EbbException(
              ExitCode.USAGE, "there is no firewall rule '" + name + "' of Ebb's");
        }
        session.answer(
            Answer.None.class, new DeleteFirewall(ProvisionPort.newId(), name, RequestId.fresh()));
        output.line("firewall rule " + name + " is gone");
        return ExitCode.DONE.value();
      }
    }
  }
}

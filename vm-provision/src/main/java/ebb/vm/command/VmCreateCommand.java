package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.text.OneLine;
import ebb.core.units.Micros;
import ebb.vm.port.Answer;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CreateVm;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import ebb.vm.port.VmSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm create}. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    description = {
      "Make one VM and wait until it is switched on.",
      "It deletes itself, with its disks, when --max-run is over. Several together are a plan's:",
      "'ebb vm plan'."
    })
public final class VmCreateCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();
  @Mixin OneVm vm = new OneVm();

  @Option(names = "--machine-type", paramLabel = "TYPE", required = true, description = "Its size.")
  String machineType = "";

  @Option(
      names = "--image",
      paramLabel = "PROJECT/FAMILY",
      defaultValue = "debian-cloud/debian-12",
      description = "What it boots (default: ${DEFAULT-VALUE}).")
  String image = "debian-cloud/debian-12";

  @Option(
      names = "--boot-disk-gb",
      paramLabel = "GB",
      defaultValue = "0",
      description = "Size of its boot disk (default: the image's).")
  int bootDiskGb;

  @Option(
      names = "--disk",
      paramLabel = "TYPE:GB",
      description = "Another disk, blank, such as pd-ssd:100 or local-ssd:375; can be repeated.")
  List<String> disks = new ArrayList<>();

  @Option(
      names = "--network",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Its network (default: ${DEFAULT-VALUE}).")
  String network = "default";

  @Option(names = "--no-external-address", description = "Reachable from its network only.")
  boolean noExternalAddress;

  @Option(
      names = "--max-run",
      paramLabel = "TIME",
      defaultValue = "2h",
      description = "After which it deletes itself, 30s to 120 days (default: ${DEFAULT-VALUE}).")
  Micros maxRun = Micros.parse("2h");

  @Option(
      names = "--run",
      paramLabel = "ID",
      defaultValue = "by-hand",
      description = "The run it belongs to, also its tag (default: ${DEFAULT-VALUE}).")
  String run = "by-hand";

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(false);
    VmSpec spec = spec();
    try (VmSession session =
        providers.session(options, text -> output.note(TerminalText.printable(text)))) {
      Vm made =
          session
              .answer(
                  Answer.OneVm.class, new CreateVm(ProvisionPort.newId(), spec, RequestId.fresh()))
              .vm();
      VmListCommand.show(List.of(made), output);
      return ExitCode.DONE.value();
    }
  }

  private VmSpec spec() {
    try {
      List<DiskSpec> all = new ArrayList<>();
      all.add(new DiskSpec("pd-balanced", bootDiskGb, DiskSpec.image(image)));
      for (String disk : disks) {
        all.add(disk(disk));
      }
      Duration time = Duration.ofMillis(maxRun.micros() / 1_000);
      return new VmSpec(
          vm.ref(),
          machineType,
          all,
          network,
          !noExternalAddress,
          Set.of(run),
          time,
          null,
          null,
          new RunLabels(Owner.name(), run, Instant.now().plus(time)));
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
    }
  }

  private static DiskSpec disk(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,7}")) {
      throw new IllegalArgumentException("'" + text + "' is not such as pd-ssd:100");
    }
    return new DiskSpec(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)), null);
  }
}

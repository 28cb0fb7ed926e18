package ebb.vm.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.vm.port.VmRef;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which VM a command is about. */
final class OneVm {
  @Parameters(index = "0", paramLabel = "NAME", description = "The VM.")
  String name = "";

  @Option(names = "--zone", paramLabel = "ZONE", required = true, description = "Where it is.")
  String zone = "";

  VmRef ref() {
    try {
      return new VmRef(zone, name);
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
    }
  }
}

package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.OptionValues;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * By what commands measure that go through many cases: the option {@code --protocols}, and what the
 * others' lists mean. Their defaults are each command's own.
 */
final class CasesOption {
  @Option(
      names = "--protocols",
      paramLabel = "LIST",
      split = ",",
      completionCandidates = MechanismOptions.Names.class,
      description = "Of ${COMPLETION-CANDIDATES} (default: all).")
  private List<String> protocols = List.of();

  /**
   * Those that were named, or all.
   *
   * @throws EbbException USAGE when there is none of a name
   */
  List<Mechanism> mechanisms() {
    try {
      return protocols.isEmpty()
          ? Mechanisms.all()
          : protocols.stream().map(Mechanisms::get).toList();
    } catch (IllegalArgumentException unknown) {
      throw new EbbException(ExitCode.USAGE, "--protocols: " + unknown.getMessage(), unknown);
    }
  }

  /** What {@code --modes} lists. */
  static List<Mode> modes(List<String> names) {
    return names.stream().map(MechanismOptions::mode).toList();
  }

  /** Bits per second that {@code --bitrate} lists. */
  static List<Long> rates(List<String> texts) {
    return texts.stream().map(text -> OptionValues.bitsPerSecond("-b", text)).toList();
  }

  /** Checks {@code --repeat}. */
  static void checkRepeat(int repeat) {
    if (repeat < 1) {
      throw new EbbException(ExitCode.USAGE, "--repeat must be at least 1: " + repeat);
    }
  }
}

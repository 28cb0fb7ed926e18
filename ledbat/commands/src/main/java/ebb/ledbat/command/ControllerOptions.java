package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.congestion.LedbatParameters;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which congestion controller sends and how much queue it may make: the same options, help and
 * checks for every command that sends by LEDBAT.
 */
public final class ControllerOptions {
  @Option(
      names = "--controller",
      paramLabel = "NAME",
      completionCandidates = Names.class,
      description =
          "Congestion controller: ${COMPLETION-CANDIDATES} (default: ledbat)."
              + " ledbat is RFC 6817; scavenger gives way soonest; see docs/controllers.md.")
  @Nullable String controller;

  @Option(
      names = "--target",
      paramLabel = "TIME",
      description =
          "Queuing delay to steer towards, such as 60ms, at most 100ms (default: the controller's"
              + " own).")
  @Nullable Micros target;

  /** What {@code --controller} takes, from the controllers that there are. */
  public static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CongestionControllers.all().stream()
          .map(factory -> factory.name() + (factory.takesWeight() ? ":WEIGHT" : ""))
          .iterator();
    }
  }

  /** What {@code --controller} said; RFC 6817's when it said nothing. */
  public String controllerName() {
    return controller == null ? CongestionControllers.names().get(0) : controller;
  }

  /**
   * Sets what was chosen.
   *
   * @throws EbbException USAGE when there is no such controller or TARGET is out of range
   */
  public void applyTo(LedbatConfigBuilder builder) {
    if (target != null) {
      if (target.micros() < 1 || target.micros() > LedbatParameters.MAX_TARGET_DELAY_MICROS) {
        throw new EbbException(
            ExitCode.USAGE,
            "--target must be above 0 and at most 100ms (RFC 6817, 2.5): " + target);
      }
      builder.targetDelayMicros(target.micros());
    }
    builder.controller(factory());
  }

  /**
   * The controller that was chosen.
   *
   * @throws EbbException USAGE when there is none of that name
   */
  public ControllerFactory factory() {
    try {
      return CongestionControllers.byName(controllerName());
    } catch (IllegalArgumentException unknown) {
      throw new EbbException(ExitCode.USAGE, String.valueOf(unknown.getMessage()));
    }
  }
}

package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.LedbatParameters;
import org.jspecify.annotations.Nullable;

/** Checks and sets the controller of what comes in, for options of any name. */
public final class IncomingControl {
  private IncomingControl() {}

  /**
   * Sets what was chosen; nothing where {@code controller} is null.
   *
   * @throws EbbException USAGE when there is no such controller, TARGET is out of range, or there
   *     is a TARGET and no controller
   */
  public static void apply(
      String controllerOption,
      @Nullable String controller,
      String targetOption,
      @Nullable Micros target,
      LedbatConfigBuilder builder) {
    if (controller != null) {
      try {
        builder.receiveController(CongestionControllers.byName(controller));
      } catch (IllegalArgumentException unknown) {
        throw new EbbException(ExitCode.USAGE, String.valueOf(unknown.getMessage()));
      }
    }
    if (target == null) {
      return;
    }
    if (controller == null) {
      throw new EbbException(
          ExitCode.USAGE, targetOption + " is for " + controllerOption + ", which is not given");
    }
    if (target.micros() < 1 || target.micros() > LedbatParameters.MAX_TARGET_DELAY_MICROS) {
      throw new EbbException(
          ExitCode.USAGE,
          targetOption + " must be above 0 and at most 100ms (RFC 6817, 2.5): " + target);
    }
    builder.receiveTargetDelayMicros(target.micros());
  }
}

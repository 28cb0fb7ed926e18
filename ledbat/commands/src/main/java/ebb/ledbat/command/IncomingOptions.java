package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfigBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a command that sends and receives does about what comes in. */
public final class IncomingOptions {
  @Option(
      names = "--receive-controller",
      paramLabel = "NAME",
      completionCandidates = ControllerOptions.Names.class,
      description =
          "Have what comes in give way, whatever the sender does, by this congestion controller:"
              + " ${COMPLETION-CANDIDATES} (default: the sender decides); see"
              + " docs/receiver-driven.md.")
  @Nullable String controller;

  @Option(
      names = "--receive-target",
      paramLabel = "TIME",
      description =
          "Queuing delay that --receive-controller steers towards, at most 100ms (default: the"
              + " controller's own).")
  @Nullable Micros target;

  @Option(
      names = "--receive-max-rate",
      paramLabel = "RATE",
      description = "Receive no faster than this, such as 20M for 20 Mbit/s (default: no bound).")
  @Nullable BitRate maxRate;

  /**
   * Sets what was chosen.
   *
   * @throws EbbException USAGE when a value is out of range or there is no such controller
   */
  public void applyTo(LedbatConfigBuilder builder) {
    IncomingControl.apply("--receive-controller", controller, "--receive-target", target, builder);
    if (maxRate != null) {
      builder.receiveMaxRateBytesPerSecond(Math.max(1, maxRate.bytesPerSecond()));
    }
  }
}

package ebb.net.ledbat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.OptionValues;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a client may choose of LEDBAT. */
public final class LedbatClientOptions implements ClientOptions {
  @Option(
      names = "--controller",
      paramLabel = "NAME",
      description =
          "LEDBAT's congestion controller: ledbat, ledbat++, dtl:WEIGHT or scavenger"
              + " (default: ebb's own default).")
  @Nullable String controller;

  @Option(
      names = {"--target", "--ledbat-set-target"},
      paramLabel = "TIME",
      description = "LEDBAT's TARGET, at most 100ms (default: the controller's own).")
  @Nullable String target;

  @Override
  public FlowOpening opening() {
    return opening(config());
  }

  /** Flows with this configuration, but for the time that connecting may take. */
  public static FlowOpening opening(LedbatConfig config) {
    return run -> new LedbatOpener(run, config);
  }

  /**
   * What they ask for.
   *
   * @throws IllegalArgumentException with one line for a value that cannot be
   */
  public LedbatConfig config() {
    LedbatConfigBuilder config = LedbatConfig.defaults().toBuilder();
    if (controller != null) {
      config.controller(CongestionControllers.check(controller));
    }
    if (target != null) {
      config.targetDelayMicros(OptionValues.micros("--target", target));
    }
    return config.build();
  }
}

package ebb.net.ledbat;

import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a client may choose of LEDBAT. */
public final class LedbatClientOptions implements ClientOptions {
  private static final Pattern PLAIN = Pattern.compile("\\d+(\\.\\d+)?");

  @Option(
      names = "--controller",
      paramLabel = "NAME",
      description = "LEDBAT's congestion controller (default: ebb's own default).")
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

  private LedbatConfig config() {
    LedbatConfigBuilder config = LedbatConfig.defaults().toBuilder();
    if (controller != null) {
      config.controller(CongestionControllers.check(controller));
    }
    if (target != null) {
      // A number without a unit is seconds, as everywhere in iperf3's options.
      String time = PLAIN.matcher(target).matches() ? target + "s" : target;
      config.targetDelayMicros(Micros.parse(time).micros());
    }
    return config.build();
  }
}

package ebb.net.ledbat;

import ebb.core.cli.QlogOption;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.qlog.QlogClock;
import ebb.ledbat.qlog.QlogFile;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.OptionValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
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

  @Mixin QlogOption qlog = new QlogOption();

  private QlogOption.@Nullable Opened<QlogFile> traces;

  @Override
  public FlowOpening opening() {
    LedbatConfig config = config();
    close();
    QlogOption.Opened<QlogFile> opened = qlog.open(LedbatClientOptions::create);
    traces = opened;
    return opening(config.toBuilder().trace(opened.file()).build());
  }

  private static QlogFile create(Path file, Consumer<String> warn) throws IOException {
    return QlogFile.create(file, "ebb net client", QlogClock.MONOTONIC, warn);
  }

  @Override
  public void close() {
    if (traces != null) {
      traces.close();
      traces = null;
    }
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

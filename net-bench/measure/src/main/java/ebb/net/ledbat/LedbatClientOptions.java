package ebb.net.ledbat;

import ebb.core.cli.QlogOption;
import ebb.core.units.Micros;
import ebb.ledbat.command.ControllerOptions;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.qlog.QlogClock;
import ebb.ledbat.qlog.QlogFile;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a client may choose of LEDBAT. */
public final class LedbatClientOptions implements ClientOptions {
  @Mixin ControllerOptions sending = new ControllerOptions();

  @Option(
      names = "--ledbat-set-target",
      hidden = true,
      paramLabel = "SECONDS",
      description = "TARGET as pyledbat takes it.")
  @Nullable String pyledbatTarget;

  @Mixin QlogOption qlog = new QlogOption();

  private QlogOption.@Nullable Opened<QlogFile> traces;

  @Override
  public FlowOpening opening() {
    return opening(tracedConfig());
  }

  /**
   * {@link #config} with who watches, when {@code --qlog} asks for it; {@link #close} ends that.
   *
   * @throws IllegalArgumentException with one line for a value that cannot be
   */
  public LedbatConfig tracedConfig() {
    LedbatConfig config = config();
    close();
    QlogOption.Opened<QlogFile> opened = qlog.open(LedbatClientOptions::create);
    traces = opened;
    return config.toBuilder().trace(opened.file()).build();
  }

  private static QlogFile create(Path file, boolean packets, Consumer<String> warn)
      throws IOException {
    return QlogFile.create(file, "ebb net", QlogClock.MONOTONIC, packets, warn);
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
   * @throws ebb.core.cli.EbbException USAGE for a value that cannot be
   */
  public LedbatConfig config() {
    LedbatConfigBuilder config = LedbatConfig.defaults().toBuilder().ebbOnly(true);
    sending.applyTo(config);
    if (pyledbatTarget != null) {
      config.targetDelayMicros(Micros.parse(pyledbatTarget + "s").micros());
    }
    return config.build();
  }
}

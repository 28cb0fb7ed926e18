package ebb.vm.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.text.OneLine;
import ebb.vm.demo.DemoCloud;
import ebb.vm.demo.DemoPlace;
import ebb.vm.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The demo cloud of one command, which goes when the command ends, also by a signal. Nothing when
 * another endpoint than the demo is meant, or one is served.
 */
final class OwnDemo implements AutoCloseable {
  private static final long CLOSE_MILLIS = 30_000;

  private final @Nullable DemoCloud cloud;
  private final @Nullable Path directory;
  private final Interrupts.Registration onInterrupt;

  private OwnDemo(
      @Nullable DemoCloud cloud, @Nullable Path directory, Interrupts.Registration onInterrupt) {
    this.cloud = cloud;
    this.directory = directory;
    this.onInterrupt = onInterrupt;
  }

  /** No cloud at all. */
  static OwnDemo none() {
    return new OwnDemo(null, null, () -> {});
  }

  /** What {@code options} need. */
  static OwnDemo of(VmOptions options, RunFiles files) {
    if (!options.isDemo() || DemoPlace.find(files.local()).isPresent()) {
      return none();
    }
    return start();
  }

  /** A cloud of its own, whatever is served. */
  static OwnDemo start() {
    try {
      Path directory = Files.createTempDirectory("ebb-demo-cloud-");
      DemoCloud cloud = DemoCloud.start(directory);
      return new OwnDemo(
          cloud,
          directory,
          Interrupts.onInterrupt(CLOSE_MILLIS, ExitCode.INCOMPLETE, cloud::close));
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "the demo cloud did not start: " + OneLine.of(e), e);
    }
  }

  /** Goes with the cloud; null without one. */
  @Nullable Path directory() {
    return directory;
  }

  @Nullable DemoCloud cloud() {
    return cloud;
  }

  @Override
  public void close() {
    if (cloud != null) {
      cloud.close();
    }
    onInterrupt.close();
  }
}

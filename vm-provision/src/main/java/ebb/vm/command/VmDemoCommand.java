package ebb.vm.command;

import ebb.core.cli.Cli;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.text.OneLine;
import ebb.vm.demo.DemoCloud;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.DemoPlace;
import ebb.vm.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ebb vm demo}. It owns the tour, in which the other commands are themselves; the cloud is
 * {@link DemoCloud}'s.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Try ebb vm on a cloud on this machine, without an account.",
      "Makes a VM, lists and describes it, runs a plan, removes what somebody left, in about a"
          + " minute.",
      "VMs are processes on loopback. With --serve the cloud stays until Ctrl-C, and other commands",
      "reach it by --endpoint demo."
    })
public final class VmDemoCommand implements EbbCommand {
  private static final String ZONE = "europe-west1-b";
  private static final long STOP_MILLIS = 30_000;

  private static final List<EbbCommand> COMMANDS =
      List.of(
          new VmZonesCommand(),
          new VmCreateCommand(),
          new VmListCommand(),
          new VmWaitCommand(),
          new VmDescribeCommand(),
          new VmDeleteCommand(),
          new VmCheckCommand(),
          new VmRunCommand(),
          new VmGcCommand());

  /** Those that look at the runs of this user: the tour has its own. */
  private static final Set<String> KEEPS_RUNS = Set.of("run", "gc");

  private static final String PLAN =
      """
      # Two VMs that measure each other by TCP, and one of them the bucket and its own disk.
      name = "demo"
      image = "debian-cloud/debian-12"
      machine-type = "n2-standard-4"
      max-run = "5m"

      [[vm]]
      name = "a"
      zone = "europe-west1-b"
      disks = [{ type = "pd-ssd", size-gb = 100 }]

      [[vm]]
      name = "b"
      zone = "us-central1-a"

      [net]
      protocols = ["tcp"]
      time = "1s"
      round-trips = 5

      [[task]]
      name = "objects"
      run = ["storage", "run", "--target", "gs://ebb-demo", "--case", "upload,download", "--size", "1Mi",
             "--json"]
      on = ["b"]
      """;

  @Option(names = "--serve", description = "Serve the cloud until Ctrl-C; no tour.")
  boolean serve;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Keep the plan and its report there (default: they go with the demo).")
  @Nullable Path out;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "With --serve: for commands with the same (default: $XDG_STATE_HOME/ebb/vm, else"
              + " ~/.local/state/...).")
  @Nullable Path stateDirectory;

  /** What the commands of the tour are subcommands of. */
  @Command(name = "ebb")
  private static final class Tour {}

  private final Output output = Output.standard(false);

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      if (serve) {
        serve();
      } else {
        tour();
      }
      return ExitCode.DONE.value();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, OneLine.of(e), e);
    }
  }

  private void serve() throws IOException, InterruptedException {
    Path directory =
        new RunFiles(stateDirectory == null ? RunFiles.standardDirectory() : stateDirectory)
            .local();
    if (DemoPlace.find(directory).isPresent()) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "a demo cloud is served already");
    }
    CountDownLatch stop = new CountDownLatch(1);
    try (Interrupts.Registration onInterrupt =
            Interrupts.untilClosed(STOP_MILLIS, ExitCode.DONE, stop::countDown);
        DemoCloud cloud = DemoCloud.start(Files.createTempDirectory("ebb-demo-cloud-"))) {
      DemoPlace place = cloud.place();
      place.announce(directory);
      output.line("Compute Engine  " + place.compute());
      output.line("Cloud Storage   " + place.storage() + "  gs://" + DemoCloud.BUCKET);
      output.line("project         " + DemoCompute.PROJECT);
      output.line("account of VMs  " + DemoCompute.ACCOUNT);
      output.note("ebb: serving until Ctrl-C; in another terminal: ebb vm list --endpoint demo");
      try {
        stop.await();
      } finally {
        place.withdraw(directory);
      }
      assert onInterrupt != null;
    }
  }

  private void tour() throws IOException {
    long begin = System.nanoTime();
    try (OwnDemo demo = OwnDemo.start()) {
      DemoCloud cloud = demo.cloud();
      Path files = demo.directory();
      if (cloud == null || files == null) {
        throw new IllegalStateException("no cloud");
      }
      // Below the cloud's own, so that it goes with the cloud, also by a signal.
      Path directory = files.resolve("tour");
      Path results = out == null ? directory.resolve("out") : out;
      Files.createDirectories(results);
      Path plan = results.resolve("plan.toml");
      Files.writeString(plan, PLAN);
      cloud.leaveSomething();
      output.line("A Compute Engine and a Cloud Storage of this process, whose VMs are processes.");
      output.line("On Google the commands are the same without --endpoint demo.");
      int code =
          Stream.of(
                  List.of("zones"),
                  List.of(
                      "create",
                      "one",
                      "--zone",
                      ZONE,
                      "--machine-type",
                      "e2-small",
                      "--max-run",
                      "10m"),
                  List.of("list"),
                  List.of("wait", "one", "--zone", ZONE),
                  List.of("describe", "one", "--zone", ZONE),
                  List.of("delete", "one", "--zone", ZONE),
                  List.of("check", plan.toString()),
                  List.of("run", plan.toString(), "--out", results.resolve("report").toString()),
                  List.of("gc", "--bucket", "gs://" + DemoCloud.BUCKET, "--yes"),
                  List.of("list"))
              .mapToInt(words -> step(words, directory))
              .filter(one -> one != 0)
              .findFirst()
              .orElse(0);
      if (code != 0) {
        throw new EbbException(ExitCode.INCOMPLETE, "that ended with exit code " + code);
      }
      output.line("");
      output.line(
          "done in "
              + (System.nanoTime() - begin) / 1_000_000_000
              + " s; "
              + (out == null
                  ? "nothing is left (--out DIR keeps the plan and its report)"
                  : "the plan and its report are in " + out));
    }
  }

  /** One command of the tour: what would be typed, then what it does. */
  private int step(List<String> words, Path state) {
    List<String> typed = new ArrayList<>(List.of("vm"));
    typed.addAll(words);
    typed.addAll(List.of("--endpoint", VmOptions.DEMO));
    output.line("");
    output.line("$ ebb " + String.join(" ", typed));
    if (KEEPS_RUNS.contains(words.get(0))) {
      typed.addAll(List.of("--state-dir", state.toString()));
    }
    return Cli.run(new Tour(), Map.of("vm", ""), COMMANDS, typed.toArray(String[]::new));
  }
}

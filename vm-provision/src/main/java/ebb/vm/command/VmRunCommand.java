package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.text.OneLine;
import ebb.core.time.SleepClock;
import ebb.core.units.Micros;
import ebb.vm.demo.DemoCloud;
import ebb.vm.local.LocalNetwork;
import ebb.vm.local.LocalProvider;
import ebb.vm.local.Namespaces;
import ebb.vm.local.ThisMachine;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import ebb.vm.plan.PlannedRule;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.RunLabels;
import ebb.vm.provider.Provider;
import ebb.vm.run.Placement;
import ebb.vm.run.RunEngine;
import ebb.vm.run.RunFiles;
import ebb.vm.run.RunState;
import ebb.vm.run.RunState.Accounts;
import ebb.vm.run.RunState.Setting;
import ebb.vm.run.RunStep;
import ebb.vm.run.RunStore;
import ebb.vm.run.RunStores;
import ebb.vm.run.ShippedJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb vm run}. It owns what a run is begun with; the run itself is {@link RunEngine}'s. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Make a plan's VMs, measure, delete everything, write a report.",
      "Ctrl-C deletes everything, too. After a crash, --resume goes on, and 'ebb vm gc' removes",
      "what is left."
    })
public final class VmRunCommand implements EbbCommand {
  private static final int CLOUD_BOOT_MINUTES = 10;
  private static final int LOCAL_BOOT_MINUTES = 1;

  /** How often results are looked for on this machine. */
  private static final Duration DEMO_POLL = Duration.ofMillis(200);

  /** Names a point of a run at which the process is to die at once: for tests of what is left. */
  static final String HALT_AT = "ebb.vm.run.halt-at";

  /** What a process that was killed ends with. */
  private static final int KILLED = 137;

  private static final long INTERRUPT_MILLIS = 180_000;

  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();

  @Parameters(index = "0", arity = "0..1", paramLabel = "PLAN.toml", description = "The plan.")
  @Nullable Path file;

  @Option(names = "--resume", paramLabel = "RUN", description = "Go on with this run.")
  @Nullable String resume;

  @Mixin Checkup checkup = new Checkup();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the report goes (default: the run's id).")
  @Nullable Path out;

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "What the VMs run (default: the ebb.jar that runs this).")
  @Nullable Path jar;

  @Option(
      names = "--boot-timeout",
      paramLabel = "TIME",
      description =
          "For a VM to serve, from its creation (default: "
              + CLOUD_BOOT_MINUTES
              + "m; locally "
              + LOCAL_BOOT_MINUTES
              + "m).")
  @Nullable Micros bootTimeout;

  @Option(
      names = "--max-machine-hours",
      paramLabel = "H",
      defaultValue = "100",
      description = "Refuse plans that may come to more (default: ${DEFAULT-VALUE}).")
  double maxMachineHours = 100;

  @Option(
      names = "--dry-run",
      description =
          "Make nothing; print each request that would make or delete something, as JSON.")
  boolean dryRun;

  @Option(
      names = "--open-to-the-world",
      description = "Rules may let in everybody, such as 0.0.0.0/0.")
  boolean openToTheWorld;

  @Option(
      names = "--small",
      description =
          "Do all of the plan, each measurement as short as it can be: to try it, not to measure.")
  boolean small;

  @Option(
      names = "--loopback",
      description = "With --provider local: processes on loopback, for root, too.")
  boolean loopback;

  /** For tests: what stands between the component and the provider. */
  UnaryOperator<Provider> wrap = UnaryOperator.identity();

  /** For tests: is told each point of a run. */
  Consumer<String> hook = VmRunCommand::haltAt;

  /** For tests: how often results are looked for. */
  Duration pollInterval = Duration.ofSeconds(2);

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() throws InterruptedException {
    if ((file == null) == (resume == null)) {
      throw new EbbException(ExitCode.USAGE, "give a plan, or --resume with a run");
    }
    if (dryRun) {
      return dryRun();
    }
    Output output = Output.standard(false);
    Consumer<String> say = text -> output.note(TerminalText.printable("ebb: " + text));
    RunFiles files = options.files();
    try (OwnDemo demo = resume == null ? OwnDemo.of(options, files) : OwnDemo.none()) {
      if (demo.cloud() != null) {
        say.accept("a demo cloud on loopback, gone with this command");
      }
      return run(files, output, say);
    }
  }

  @SuppressWarnings("try") // the lock is there to be held
  private Integer run(RunFiles files, Output output, Consumer<String> say)
      throws InterruptedException {
    RunState state = resume == null ? begin(files, say) : files.load(resume);
    if (state.step() == RunStep.REPORTED) {
      say.accept("run " + state.runId() + " is over; its report is in " + state.setting().out());
      return ExitCode.DONE.value();
    }
    try (RunFiles.Lock held = files.lock(state.runId())) {
      // What another process has done since is in the file.
      RunState latest = resume == null ? state : files.load(state.runId());
      say.accept((resume == null ? "run " : "going on with run ") + latest.runId());
      return run(latest, files, output, say).value();
    }
  }

  private int dryRun() {
    if (file == null) {
      throw new EbbException(ExitCode.USAGE, "--dry-run needs a plan");
    }
    if (!providers.provider.equals(ProviderOption.STANDARD)) {
      throw new EbbException(
          ExitCode.USAGE,
          "--dry-run shows requests, and --provider " + providers.provider + " sends none");
    }
    Plan read = PlanFile.read(file).withServiceAccount(checkup.account(options));
    Plan plan = small ? read.small() : read;
    checkMeasures(plan);
    DryRun dry = new DryRun(plan, openToTheWorld, Output.standard(true));
    dry.show();
    dry.requests(options, checkup.bucket, jar);
    return ExitCode.DONE.value();
  }

  private void checkMeasures(Plan plan) {
    if (plan.net() == null && plan.tasks().isEmpty()) {
      throw new EbbException(
          ExitCode.USAGE, file + ": there is nothing to measure: no [net], no [[task]]");
    }
  }

  private RunState begin(RunFiles files, Consumer<String> say) throws InterruptedException {
    Path planFile = file == null ? Path.of("") : file;
    Plan plan = PlanFile.read(planFile);
    Instant now = Instant.now();
    String runId = Plan.runId(plan.name(), ThreadLocalRandom.current().nextInt());
    RunLabels labels = plan.labels(Owner.name(), runId, now);
    for (PlannedRule rule : plan.rules()) {
      rule.spec(labels, openToTheWorld);
    }
    checkMeasures(plan);
    if (!providers.isLocal() && plan.machineHours() > maxMachineHours) {
      throw new EbbException(
          ExitCode.USAGE,
          String.format(
              Locale.ROOT,
              "the plan may come to %.1f machine-hours, more than --max-machine-hours %.1f",
              plan.machineHours(),
              maxMachineHours));
    }
    boolean namespaces = providers.isLocal() && namespaces(plan, say);
    Path shipped =
        jar == null ? ShippedJar.find(files.local(), providers.isLocal() || options.isDemo()) : jar;
    try {
      Setting setting =
          new Setting(
              providers.provider,
              ProviderOption.STANDARD.equals(providers.provider)
                  ? options.project(plan.project())
                  : options.projectIfNamed(plan.project()),
              options.endpoint,
              place(plan),
              openToTheWorld,
              namespaces,
              shipped.toAbsolutePath().toString(),
              ShippedJar.sha256(shipped),
              (out == null ? Path.of(runId) : out).toAbsolutePath().toString(),
              small ? RunState.Size.SMALL : RunState.Size.FULL,
              new Accounts(checkup.account(options), ownAccount(plan, runId)));
      return RunState.begin(
          labels, now, planFile.toAbsolutePath(), Files.readString(planFile), setting);
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot read " + shipped + ": " + OneLine.of(e), e);
    }
  }

  /** What the run makes for its VMs to be, if it is to; only Google's cloud has such. */
  private @Nullable String ownAccount(Plan plan, String runId) {
    return ProviderOption.STANDARD.equals(providers.provider)
            && plan.withServiceAccount(checkup.account(options)).wantsOwnAccount()
        ? AccountSpec.emailOf(runId, options.project(plan.project()))
        : null;
  }

  private boolean namespaces(Plan plan, Consumer<String> say) throws InterruptedException {
    String trouble =
        loopback
            ? "--loopback was given"
            : checkup.bucket != null ? "namespaces do not reach a bucket" : Namespaces.trouble();
    if (!trouble.isEmpty() && !plan.links().isEmpty()) {
      say.accept("the plan's links are left out, everything is on loopback: " + trouble);
    }
    return trouble.isEmpty();
  }

  private @Nullable String place(Plan plan) {
    String bucket = checkup.bucket;
    String named = bucket == null ? plan.bucket() : bucket;
    if (providers.isLocal()) {
      if (bucket != null && !hasService()) {
        throw new EbbException(
            ExitCode.USAGE,
            "processes in place of VMs have no credentials of Google's: --provider local with a"
                + " bucket needs STORAGE_EMULATOR_HOST");
      }
      // A plan's own is for its runs in a cloud.
      return bucket;
    }
    if (options.isDemo()) {
      return bucket == null ? "gs://" + DemoCloud.BUCKET : bucket;
    }
    if (named == null) {
      throw new EbbException(
          ExitCode.USAGE, "no bucket for jar and results: give --bucket gs://BUCKET");
    }
    return named;
  }

  private static boolean hasService() {
    String host = System.getenv("STORAGE_EMULATOR_HOST");
    return host != null && !host.isBlank();
  }

  private ExitCode run(RunState state, RunFiles files, Output output, Consumer<String> say)
      throws InterruptedException {
    boolean local = state.setting().provider().equals(ThisMachine.NAME);
    LocalNetwork network = LocalNetwork.none();
    if (local) {
      network = LocalNetwork.of(state.plan(), state.labels(), state.setting().namespaces());
    }
    LocalProvider here = new LocalProvider(files.local(), network);
    Provider provider = local ? here : cloud(state, files);
    Placement placement =
        local
            ? new LocalPlacement(
                here, network, state.labels(), bootTime(Duration.ofMinutes(LOCAL_BOOT_MINUTES)))
            : new CloudPlacement(
                options.isDemo() ? DEMO_POLL : pollInterval,
                bootTime(Duration.ofMinutes(CLOUD_BOOT_MINUTES)));
    try (RunStore store = RunStores.open(state, files, options.storage());
        VmSession session = VmSession.start(wrap.apply(provider), progress -> {})) {
      RunEngine engine =
          new RunEngine(
              state,
              files,
              store,
              new RunEngine.Surroundings(
                  session,
                  placement,
                  () -> local ? List.of() : problems(session, state, say),
                  SleepClock.system(),
                  say,
                  hook));
      return run(engine, state, output, say);
    }
  }

  private List<String> problems(VmSession session, RunState state, Consumer<String> say) {
    Setting setting = state.setting();
    PlanCheck check =
        new PlanCheck(
            session,
            new PlanCheck.Wishes(
                setting.provider().equals(ProviderOption.STANDARD),
                setting.bucket(),
                setting.accounts().own(),
                checkup.maxCost));
    List<String> problems = check.problems(state.plan());
    check.notes().forEach(note -> say.accept("note: " + note));
    if (!check.cost().isEmpty()) {
      say.accept(check.cost());
    }
    return problems;
  }

  @SuppressWarnings("try") // the registration is there to be closed
  private static ExitCode run(
      RunEngine engine, RunState state, Output output, Consumer<String> say) {
    try (Interrupts.Registration onInterrupt =
        Interrupts.onInterrupt(
            INTERRUPT_MILLIS,
            ExitCode.INCOMPLETE,
            () -> {
              say.accept("interrupted: collecting and deleting, which takes a moment");
              try {
                engine.interrupt(INTERRUPT_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })) {
      ExitCode code = engine.run();
      output.line(
          TerminalText.printable(
              (code == ExitCode.DONE ? "complete" : "incomplete") + ": " + state.setting().out()));
      return code;
    }
  }

  private Duration bootTime(Duration standard) {
    return bootTimeout == null ? standard : Duration.ofMillis(bootTimeout.micros() / 1_000);
  }

  /** A run goes on where it was begun, whatever options say. */
  private Provider cloud(RunState state, RunFiles files) {
    options.project = state.setting().project();
    options.endpoint = state.setting().endpoint();
    return ProviderOption.open(state.setting().provider(), options, null, files);
  }

  private static void haltAt(String point) {
    if (point.equals(System.getProperty(HALT_AT))) {
      Runtime.getRuntime().halt(KILLED);
    }
  }
}

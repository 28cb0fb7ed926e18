package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.core.units.Human;
import ebb.net.matrix.Matrix;
import ebb.net.report.MatrixPage;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedTask;
import ebb.vm.plan.PlannedVm;
import ebb.vm.report.TaskPages;
import ebb.vm.report.TaskResult;
import ebb.vm.run.RunState.OneVm;
import ebb.vm.run.RunTasks.NetTask;
import ebb.vm.startup.StartupStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run came to, from the results that were collected: a page, and the same as JSON. */
final class RunReport {
  static final String PAGE = "report.html";
  static final String JSON = "report.json";

  /** The paths as {@code ebb net report} reads them. */
  static final String MATRIX = "matrix.json";

  /** The directory of what the VMs wrote. */
  static final String RESULTS = "results";

  /** An endpoint whose machines are on this one, too. */
  private static final String DEMO = "demo";

  private static final int CONSOLE_LINES = 40;

  private final RunState state;
  private final Plan plan;
  private final Path out;
  private final List<Map<String, @Nullable Object>> paths = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();

  /** Those of them that measured to others. */
  private final List<Task> nets = new ArrayList<>();

  /** One task of a VM, and what came of it. */
  private record Task(String vm, String name, String outcome, @Nullable ResultRecord result) {
    boolean isDone() {
      return outcome.equals("done");
    }
  }

  RunReport(RunState state, Path out) {
    this.state = state;
    this.out = out;
    plan = state.plan();
    for (PlannedTask task : plan.tasks()) {
      task.on().forEach(vm -> tasks.add(read(vm, task.name())));
    }
    boolean oneComputer = state.setting().provider().equals("local");
    for (NetTask net : new RunTasks(plan, oneComputer).nets()) {
      Task task = read(net);
      nets.add(task);
      tasks.add(task);
    }
  }

  boolean hasResults() {
    return tasks.stream().anyMatch(task -> task.result != null);
  }

  private String text(String vm, String file) {
    try {
      return Files.readString(out.resolve(RESULTS).resolve(vm).resolve(file));
    } catch (IOException none) {
      return "";
    }
  }

  private Task read(String vm, String name) {
    String exit = text(vm, name + ".exit").strip();
    boolean begun = !text(vm, name + ".begun").isEmpty();
    String log = text(vm, name + ".log").strip();
    String last = log.isEmpty() ? "" : ": " + log.substring(log.lastIndexOf('\n') + 1);
    String outcome =
        exit.isEmpty()
            ? begun ? "cut off" : "not begun"
            : exit.equals("0") ? "done" : "exit code " + exit + last;
    return new Task(vm, name, outcome, parsed(text(vm, name + ".json")));
  }

  /** Null for what is no result, or only the beginning of one. */
  private static @Nullable ResultRecord parsed(String json) {
    try {
      return ResultRecord.fromJson(json.strip());
    } catch (IllegalArgumentException none) {
      return null;
    }
  }

  /** What a VM measured to others; when it died meanwhile, what it had measured until then. */
  private Task read(NetTask net) {
    Task task = read(net.vm(), net.name());
    ResultRecord result = task.result;
    if (result == null) {
      result = parsed(text(net.vm(), net.name() + "/" + RunTasks.SO_FAR));
      String outcome = task.isDone() ? "no result" : task.outcome;
      List<String> addresses = plan.net() == null ? List.of() : plan.net().addresses();
      for (String peer : net.peers()) {
        if (result == null || result.rows().stream().noneMatch(row -> isBetween(row, peer))) {
          for (String address : addresses) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("from", net.vm());
            row.put("to", peer);
            row.put("address", address);
            row.put("failure", outcome);
            paths.add(row);
          }
        }
      }
      task = new Task(task.vm, task.name, outcome, result);
    }
    if (result != null) {
      paths.addAll(result.rows());
    }
    return task;
  }

  private static boolean isBetween(Map<String, @Nullable Object> row, String peer) {
    return peer.equals(row.get("from")) || peer.equals(row.get("to"));
  }

  private boolean isComplete() {
    return state.isComplete() && tasks.stream().allMatch(Task::isDone);
  }

  /**
   * Writes page and JSON.
   *
   * @return INCOMPLETE when results are missing
   */
  ExitCode write() {
    ExitCode code = isComplete() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    try {
      Files.createDirectories(out);
      ResultRecord matrix = record(Matrix.COMMAND, code);
      Files.writeString(out.resolve(JSON), record("vm run", code).toJson() + "\n");
      if (plan.net() != null) {
        Files.writeString(out.resolve(MATRIX), matrix.toJson() + "\n");
      }
      page(matrix).writeTo(out.resolve(PAGE));
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot write the report to " + out + ": " + OneLine.of(e), e);
    }
    return code;
  }

  /** What those who measured say of their machines and runs. */
  private List<String> warnings() {
    List<String> all = new ArrayList<>();
    for (Task task : nets) {
      if (task.result != null) {
        task.result.warnings().forEach(warning -> all.add(task.vm + ": " + warning));
      }
    }
    return all;
  }

  private ResultRecord record(String command, ExitCode code) {
    ResultRecord.Builder record = ResultRecord.of(command);
    record.fact("run", state.runId()).fact("plan", plan.name());
    record.fact("provider", state.setting().provider());
    record.fact("begun", state.started().toString());
    record.fact("hosts", String.join(",", plan.vms().stream().map(PlannedVm::name).toList()));
    record.figure("vms", plan.vms().size());
    record.figure("tasks", tasks.size());
    record.figure("tasks_done", tasks.stream().filter(Task::isDone).count());
    state
        .vms()
        .forEach(
            (name, vm) -> {
              record.fact("vm_" + name, vm.ref + (vm.trouble == null ? "" : ": " + vm.trouble));
              if (vm.trouble != null) {
                record.warning("incomplete: VM " + name + ": " + vm.trouble);
              }
            });
    state.warnings().forEach(record::warning);
    tasks.stream()
        .filter(task -> !task.isDone())
        .forEach(task -> record.warning(task.vm + ", " + task.name + ": " + task.outcome));
    if (command.equals(Matrix.COMMAND)) {
      warnings().forEach(record::warning);
    }
    paths.forEach(record::row);
    return record.build(code == ExitCode.DONE, code.value());
  }

  private HtmlReport page(ResultRecord matrix) {
    HtmlReport page = new HtmlReport("Ebb: run " + state.runId());
    boolean complete = isComplete();
    page.lead(
        "Plan "
            + plan.name()
            + " on "
            + (state.setting().provider().equals("local")
                ? "this machine"
                : String.valueOf(state.setting().project()))
            + ", begun "
            + state.started()
            + ".");
    if (!complete) {
      page.warning("This run is incomplete.");
    }
    long done = tasks.stream().filter(Task::isDone).count();
    long alive = state.vms().values().stream().filter(vm -> vm.trouble == null).count();
    page.figures(
        List.of(
            new Figure(
                complete ? "complete" : "incomplete", "results", complete ? Tone.GOOD : Tone.BAD),
            new Figure(
                alive + " of " + plan.vms().size(),
                "VMs did their part",
                alive == plan.vms().size() ? Tone.PLAIN : Tone.BAD),
            new Figure(
                done + " of " + tasks.size(),
                "tasks done",
                done == tasks.size() ? Tone.PLAIN : Tone.BAD),
            new Figure(
                Human.micros(Duration.between(state.started(), Instant.now()).toNanos() / 1_000),
                "from the first request to this report",
                Tone.PLAIN)));
    state.warnings().forEach(warning -> page.warning(warning));
    vms(page);
    if (plan.net() != null) {
      MatrixPage.add(page, Matrix.of(List.of(matrix)));
      warnings().forEach(warning -> page.warning(warning));
    }
    List<TaskResult> results = new ArrayList<>();
    for (Task task : tasks) {
      if (task.result != null && !nets.contains(task)) {
        results.add(new TaskResult(task.vm, task.name, task.result));
      }
    }
    boolean here =
        state.setting().provider().equals("local") || DEMO.equals(state.setting().endpoint());
    TaskPages.add(page, plan, here, results);
    notDone(page);
    troubles(page);
    return page;
  }

  private void vms(HtmlReport page) {
    page.heading("VMs");
    List<List<String>> rows = new ArrayList<>();
    for (PlannedVm vm : plan.vms()) {
      OneVm one = state.vms().get(vm.name());
      rows.add(
          List.of(
              vm.name(),
              vm.zone(),
              vm.machineType(),
              one == null || one.internal == null ? "-" : one.internal,
              one == null || one.external == null ? "-" : one.external,
              one == null || one.trouble == null ? "done" : one.trouble));
    }
    page.table(List.of("VM", "zone", "machine", "internal", "external", "outcome"), rows);
  }

  private void notDone(HtmlReport page) {
    List<List<String>> notDone = new ArrayList<>();
    tasks.stream()
        .filter(task -> !task.isDone())
        .forEach(task -> notDone.add(List.of(task.vm, task.name, task.outcome)));
    if (!notDone.isEmpty()) {
      page.heading("Not done");
      page.table(List.of("VM", "task", "outcome"), notDone);
    }
  }

  private void troubles(HtmlReport page) {
    for (Map.Entry<String, OneVm> entry : state.vms().entrySet()) {
      OneVm vm = entry.getValue();
      if (vm.trouble == null) {
        continue;
      }
      page.heading("The end of " + entry.getKey() + "'s serial console");
      String console = vm.console == null ? "" : vm.console;
      List<StartupStep> steps = StartupStep.in(console);
      if (!steps.isEmpty()) {
        page.paragraph("The last step was: " + steps.get(steps.size() - 1));
      }
      List<String> lines = console.lines().toList();
      page.preformatted(
          lines.isEmpty()
              ? "(nothing)"
              : String.join(
                  "\n", lines.subList(Math.max(0, lines.size() - CONSOLE_LINES), lines.size())));
    }
  }
}

package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.report.HeatMap;
import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.vm.plan.NetPart;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedVm;
import ebb.vm.run.RunState.OneVm;
import ebb.vm.startup.StartupStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

  private static final int CONSOLE_LINES = 40;
  private static final String RATE = "received_rate_bits_per_second";

  private final RunState state;
  private final Plan plan;
  private final Path out;
  private final List<Map<String, @Nullable Object>> paths = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();

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
    RunTasks names = new RunTasks(plan, new NoPlacement());
    for (PlannedVm vm : plan.vms()) {
      names.names(vm).forEach(name -> read(vm.name(), name));
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

  private void read(String vm, String name) {
    String exit = text(vm, name + ".exit").strip();
    boolean begun = !text(vm, name + ".begun").isEmpty();
    String log = text(vm, name + ".log").strip();
    String last = log.isEmpty() ? "" : ": " + log.substring(log.lastIndexOf('\n') + 1);
    String outcome =
        exit.isEmpty()
            ? begun ? "cut off" : "not begun"
            : exit.equals("0") ? "done" : "exit code " + exit + last;
    ResultRecord result = null;
    try {
      result = ResultRecord.fromJson(text(vm, name + ".json").strip());
    } catch (IllegalArgumentException none) {
      if (exit.equals("0") && name.startsWith(RunTasks.NET)) {
        outcome = "no result: " + none.getMessage();
      }
    }
    tasks.add(new Task(vm, name, outcome, result));
    if (name.startsWith(RunTasks.NET)) {
      paths(vm, name, outcome, result);
    }
  }

  private void paths(String from, String name, String outcome, @Nullable ResultRecord result) {
    String address = plan.net() != null && plan.net().external() ? "external" : "internal";
    boolean udp = name.startsWith(RunTasks.UDP);
    String peer = name.substring((udp ? RunTasks.UDP : RunTasks.STREAMS).length());
    List<Map<String, @Nullable Object>> rows = result == null ? List.of() : result.rows();
    for (Map<String, @Nullable Object> row : rows) {
      paths.add(path(from, peer, address, row, null));
    }
    if (rows.isEmpty()) {
      paths.add(path(from, peer, address, Map.of("protocol", udp ? "udp" : "streams"), outcome));
    }
  }

  private static Map<String, @Nullable Object> path(
      String from,
      String to,
      String address,
      Map<String, @Nullable Object> row,
      @Nullable String failure) {
    Map<String, @Nullable Object> path = new LinkedHashMap<>();
    path.put("from", from);
    path.put("to", to);
    path.put("address", address);
    path.putAll(row);
    path.put("failure", failure);
    return path;
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
      Files.writeString(out.resolve(JSON), record("vm run", code).toJson() + "\n");
      if (plan.net() != null) {
        Files.writeString(out.resolve(MATRIX), record("net matrix", code).toJson() + "\n");
      }
      page().writeTo(out.resolve(PAGE));
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot write the report to " + out + ": " + e.getMessage(), e);
    }
    return code;
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
    paths.forEach(record::row);
    return record.build(code == ExitCode.DONE, code.value());
  }

  private HtmlReport page() {
    HtmlReport page = new HtmlReport("Run " + state.runId());
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
            + (complete ? "." : ". This run is incomplete."));
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
    state.warnings().forEach(warning -> page.paragraph("Warning: " + warning));
    vms(page);
    if (plan.net() != null) {
      net(page, plan.net());
    }
    tasks(page);
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

  private void net(HtmlReport page, NetPart net) {
    List<String> names = plan.vms().stream().map(PlannedVm::name).toList();
    for (String protocol : net.protocols()) {
      String title =
          protocol.toUpperCase(Locale.ROOT)
              + ", received, from the VM of the row to that of the column";
      HeatMap map = new HeatMap(title, "from, to", names, names);
      List<String> columns = new ArrayList<>(List.of(""));
      columns.addAll(names);
      List<List<String>> rows = new ArrayList<>();
      boolean any = false;
      for (int from = 0; from < names.size(); from++) {
        List<String> row = new ArrayList<>(List.of(names.get(from)));
        for (int to = 0; to < names.size(); to++) {
          double rate = rate(names.get(from), names.get(to), protocol);
          String words = Double.isNaN(rate) ? (from == to ? "" : "-") : Human.bitRate(rate);
          row.add(words);
          if (!Double.isNaN(rate)) {
            map.cell(from, to, rate, words);
            any = true;
          }
        }
        rows.add(row);
      }
      page.heading(title);
      if (any) {
        page.chart(map);
      }
      page.table(columns, rows);
    }
  }

  /** NaN when it was not measured. */
  private double rate(String from, String to, String protocol) {
    for (Map<String, @Nullable Object> path : paths) {
      if (from.equals(path.get("from"))
          && to.equals(path.get("to"))
          && protocol.equals(path.get("protocol"))
          && path.get(RATE) instanceof Number rate) {
        return rate.doubleValue();
      }
    }
    return Double.NaN;
  }

  private void tasks(HtmlReport page) {
    for (Task task : tasks) {
      if (task.result != null && !task.name.startsWith(RunTasks.NET)) {
        page.heading(task.vm + ": " + task.name + (task.isDone() ? "" : ", " + task.outcome));
        List<List<String>> figures = new ArrayList<>();
        task.result
            .figures()
            .forEach((name, value) -> figures.add(List.of(name, value == null ? "-" : "" + value)));
        page.table(List.of("figure", "value"), figures);
        task.result.warnings().forEach(warning -> page.paragraph("Warning: " + warning));
      }
    }
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

package ebb.selfbench.duel;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb sim duels}. It owns the options and the verdict; the page is the testkit's. */
@Command(
    name = "duels",
    mixinStandardHelpOptions = true,
    description = {
      "Simulate every controller alone and beside others.",
      "The others are TCP, its own kind and libutp. Prints the table of docs/duels.md. It takes",
      "minutes of all cores, and says the same on every run and machine. With --check, exit code 99",
      "when the file says something else."
    })
public final class SimDuelsCommand implements EbbCommand {
  private static final int PROGRESS_STEPS = 20;
  private static final int MAX_SHOWN_COLUMNS = 200;

  @Option(names = "--write", paramLabel = "FILE", description = "Write the table there.")
  private @Nullable Path write;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description = "Compare the table with that file, and show the first difference.")
  private @Nullable Path check;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = {
        "Simulate the cells in whose name it is found, and print their figures, those that miss",
        "the limits most first; names are like \"cubic-second/10M 50/150/scavenger\"."
      })
  private @Nullable String only;

  @Option(
      names = "--cell",
      paramLabel = "NAME",
      description = {
        "Simulate this cell, in the table or not, such as",
        "\"cubic-first/17M 43/30 codel/scavenger\"; again for more (docs/duels.md)."
      })
  private List<String> named = new ArrayList<>();

  @Option(
      names = "--grid",
      paramLabel = "CONTROLLER",
      description = {
        "Simulate the grid in which a controller is judged, instead of the tables; with --only",
        "some of it."
      })
  private @Nullable String grid;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Write an HTML page with heat maps of what is missed.")
  private @Nullable Path plot;

  @Option(
      names = "--limit-minutes",
      paramLabel = "N",
      description = "Refuse to begin what would take longer (default: ${DEFAULT-VALUE}).")
  private int limitMinutes = 60;

  @Option(names = "--list", description = "Print the names of the cells, and simulate nothing.")
  private boolean list;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Simulations at the same time (default: the processors there are).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--json", description = "Print every cell's figures as JSON.")
  private boolean json;

  @Override
  public String group() {
    return "sim";
  }

  @Override
  public Integer call() throws InterruptedException {
    List<DuelCell> cells = cells();
    String expected = checkFiles();
    ResultFiles.checkWritable(plot);
    Output output = Output.standard(json);
    if (list) {
      cells.forEach(cell -> output.line(cell.id()));
      return ExitCode.DONE.value();
    }
    ResultRecord.Builder result = ResultRecord.of("sim duels");
    Map<DuelCell, DuelFigures> figures = run(cells, output);
    if (ResultFiles.write(
        plot,
        file -> new DuelMaps(JudgedCell.worstFirst(maps(cells), figures)).page().writeTo(file))) {
      output.line("Page: " + plot);
    }
    cells.forEach(cell -> result.row(record(cell, figures)));
    ExitCode code = ExitCode.DONE;
    if (isSome()) {
      List<JudgedCell> judged = JudgedCell.worstFirst(cells, figures);
      DuelRows.lines(judged).forEach(output::line);
    } else {
      code = finish(DuelPage.render(figures), expected, output);
    }
    result.figure("cells", cells.size()).warning("the TCP and libutp flows are models");
    output.json(result.build(true, code.value()).toJson());
    return code.value();
  }

  /** What the heat maps show: of the page its grid. */
  private List<DuelCell> maps(List<DuelCell> cells) {
    return isSome() ? cells : DuelGrid.cells(DuelPage.JUDGED);
  }

  /** Whether it is not the page that is asked for. */
  private boolean isSome() {
    return only != null || grid != null || !named.isEmpty();
  }

  private List<DuelCell> cells() {
    if (threads < 1) {
      throw new EbbException(ExitCode.USAGE, "--threads must be at least 1: " + threads);
    }
    if (isSome() && (write != null || check != null)) {
      throw new EbbException(ExitCode.USAGE, "some cells are no whole table to write or to check");
    }
    List<DuelCell> cells = chosen();
    double minutes = DuelRunner.estimatedMinutes(cells, threads);
    if (!list && minutes > limitMinutes) {
      throw new EbbException(
          ExitCode.USAGE,
          String.format(
              Locale.ROOT,
              "%d cells would take about %.0f minutes on %d threads;"
                  + " choose fewer with --only, or allow it with --limit-minutes",
              cells.size(),
              minutes,
              threads));
    }
    return cells;
  }

  private List<DuelCell> chosen() {
    String judged = grid;
    String regex = only;
    List<DuelCell> cells = new ArrayList<>();
    try {
      named.forEach(name -> cells.add(DuelCell.named(name)));
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, "--cell: " + wrong.getMessage());
    }
    if (judged != null && !DuelPlan.CONTROLLERS.contains(judged)) {
      throw new EbbException(
          ExitCode.USAGE,
          "--grid: no controller is called " + judged + "; there is " + DuelPlan.CONTROLLERS);
    }
    if (!cells.isEmpty()) {
      if (judged != null || regex != null) {
        throw new EbbException(ExitCode.USAGE, "--cell goes with neither --only nor --grid");
      }
      return cells;
    }
    cells.addAll(judged == null ? DuelPage.cells() : DuelGrid.cells(judged));
    if (regex == null) {
      return cells;
    }
    try {
      Pattern pattern = Pattern.compile(regex);
      cells.removeIf(cell -> !pattern.matcher(cell.id()).find());
    } catch (PatternSyntaxException malformed) {
      throw new EbbException(
          ExitCode.USAGE, "--only is no regular expression: " + malformed.getDescription());
    }
    if (cells.isEmpty()) {
      throw new EbbException(
          ExitCode.USAGE, "no cell is named so (--list and --grid show them): " + regex);
    }
    return cells;
  }

  /** Before minutes are spent. Returns what is to be compared with, "" for nothing. */
  private String checkFiles() {
    Path target = write;
    if (target != null) {
      Path directory = target.toAbsolutePath().getParent();
      if (directory == null || !Files.isWritable(directory) || Files.isDirectory(target)) {
        throw new EbbException(ExitCode.USAGE, "cannot write " + target);
      }
    }
    Path source = check;
    try {
      return source == null ? "" : Files.readString(source);
    } catch (IOException unreadable) {
      throw new EbbException(ExitCode.USAGE, "cannot read " + source);
    }
  }

  private Map<DuelCell, DuelFigures> run(List<DuelCell> cells, Output output)
      throws InterruptedException {
    long began = System.nanoTime();
    double all = cells.stream().mapToDouble(DuelCell::weight).sum();
    double[] done = new double[1];
    int[] shown = new int[1];
    Map<DuelCell, DuelFigures> figures =
        new DuelRunner()
            .runAll(
                cells,
                threads,
                cell -> {
                  done[0] += cell.weight();
                  int step = (int) (PROGRESS_STEPS * done[0] / all);
                  if (step > shown[0]) {
                    shown[0] = step;
                    output.note("ebb: " + step * 100 / PROGRESS_STEPS + "%");
                  }
                });
    output.note(
        String.format(
            Locale.ROOT,
            "ebb: %d cells in %.0f s on %d threads",
            cells.size(),
            (System.nanoTime() - began) / 1e9,
            threads));
    return figures;
  }

  private ExitCode finish(String page, String expected, Output output) {
    Path target = write;
    if (target != null) {
      try {
        Files.writeString(target, page);
      } catch (IOException unwritable) {
        throw new EbbException(
            ExitCode.INTERNAL, "cannot write " + target + ": " + unwritable.getMessage());
      }
    }
    if (check != null) {
      String difference = firstDifference(expected, page);
      output.line(difference.isEmpty() ? check + " is as simulated" : difference);
      return difference.isEmpty() ? ExitCode.DONE : ExitCode.THRESHOLD_FAILED;
    }
    if (target == null) {
      output.line(page.stripTrailing());
    }
    return ExitCode.DONE;
  }

  /** In words, "" when both are the same bytes. */
  static String firstDifference(String file, String simulated) {
    if (file.equals(simulated)) {
      return "";
    }
    String[] there = file.split("\n", -1);
    String[] here = simulated.split("\n", -1);
    int at = 0;
    while (at < there.length && at < here.length && there[at].equals(here[at])) {
      at++;
    }
    return "line "
        + (at + 1)
        + " differs\n  file:      "
        + shown(there, at)
        + "\n  simulated: "
        + shown(here, at);
  }

  private static String shown(String[] lines, int at) {
    if (at >= lines.length) {
      return "(ends before)";
    }
    StringBuilder text = new StringBuilder();
    lines[at]
        .chars()
        .limit(MAX_SHOWN_COLUMNS)
        .forEach(c -> text.append(Character.isISOControl(c) ? '?' : (char) c));
    return text.toString();
  }

  private static Map<String, @Nullable Object> record(
      DuelCell cell, Map<DuelCell, DuelFigures> results) {
    DuelFigures figures = figures(cell, results);
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("cell", cell.id());
    row.put("controller", cell.controller());
    row.put("setup", cell.setup().label());
    row.put("rate_bits_per_second", cell.link().rateBitsPerSecond());
    row.put("base_rtt_micros", cell.link().rttMicros());
    row.put("buffer_micros", cell.link().bufferMicros());
    row.put("loss", cell.link().loss());
    row.put("link", cell.link().label());
    row.put("seed", cell.seed());
    row.put("utilisation", finite(figures.utilisation()));
    row.put("median_queue_micros", finite(figures.medianQueueMicros()));
    row.put("p95_queue_micros", finite(figures.highQueueMicros()));
    row.put("share", finite(figures.share()));
    row.put("tcp_loss", finite(figures.tcpLoss()));
    row.put("tcp_loss_from_start", finite(figures.tcp().lossFromStart()));
    row.put("tcp_alone", finite(figures.tcp().alone()));
    row.put("resent", finite(figures.waste().resent()));
    row.put("smallest", finite(figures.waste().smallest()));
    row.put("jain", finite(figures.jain()));
    row.put("recovery_micros", finite(figures.recoveryMicros()));
    return row;
  }

  private static DuelFigures figures(DuelCell cell, Map<DuelCell, DuelFigures> results) {
    DuelFigures figures = results.get(cell);
    if (figures == null) {
      throw new IllegalStateException("not simulated: " + cell.id());
    }
    return figures;
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}

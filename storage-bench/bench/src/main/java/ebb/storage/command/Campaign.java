package ebb.storage.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.storage.command.PlanFile.Cell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Many runs into one file: those that are missing, each in its period of the day. It owns what is
 * done, what is next and the waiting; a run itself is somebody else's.
 *
 * @param name of the plan
 * @param id changes with whatever the plan says
 * @param cells all runs
 * @param out the file of results
 * @param waits whether to wait for periods
 */
record Campaign(String name, String id, List<Cell> cells, Path out, boolean waits) {
  private static final long STOP_MILLIS = 60_000;
  private static final long LOOK_AGAIN_SECONDS = 20;

  Campaign {
    cells = List.copyOf(cells);
  }

  /** Carries one run out and appends its record. */
  interface Runner {
    Measuring.Found run(Cell cell, Map<String, String> everyRow) throws InterruptedException;
  }

  /** Runs what is missing, says how far it is, and returns how the command ends. */
  @SuppressWarnings("try") // the registration is there to be closed
  ExitCode run(String command, Runner runner, Output output) throws InterruptedException {
    ResultRecord.Builder result = ResultRecord.of(command).fact("plan", name).fact("plan_id", id);
    List<Cell> missing = missing();
    output.note(
        "ebb: " + (cells.size() - missing.size()) + " of " + cells.size() + " runs are done");
    Set<Cell> failed = new HashSet<>();
    CountDownLatch asked = new CountDownLatch(1);
    try (Interrupts.Registration interrupts =
        Interrupts.untilClosed(STOP_MILLIS, ExitCode.INCOMPLETE, asked::countDown)) {
      boolean goesOn = true;
      boolean interrupted = false;
      while (goesOn && asked.getCount() > 0) {
        LocalTime now = LocalTime.now(ZoneId.systemDefault());
        Optional<Cell> next =
            missing.stream()
                .filter(cell -> !failed.contains(cell) && cell.period().holds(now))
                .findFirst();
        if (next.isPresent()) {
          goesOn = run(next.get(), runner, missing, failed, output);
          interrupted = !goesOn;
        } else if (waits && missing.size() > failed.size()) {
          output.note("ebb: waiting for " + periods(missing, failed));
          while (goesOn && !isTime(missing, failed)) {
            goesOn = !asked.await(LOOK_AGAIN_SECONDS, TimeUnit.SECONDS);
            interrupted = !goesOn;
          }
        } else {
          goesOn = false;
        }
      }
      return show(result, missing, failed, interrupted, output);
    }
  }

  /** False when the run was interrupted. */
  private boolean run(Cell cell, Runner runner, List<Cell> missing, Set<Cell> failed, Output output)
      throws InterruptedException {
    List<String> words = new ArrayList<>(List.of(cell.region().name(), cell.period().name()));
    words.removeIf(String::isEmpty);
    words.add("repetition " + cell.repetition());
    output.note(TerminalText.printable("ebb: " + String.join(", ", words)));
    Map<String, String> everyRow = new LinkedHashMap<>();
    everyRow.put("region", cell.region().name());
    everyRow.put("period", cell.period().name());
    everyRow.put("plan", name);
    everyRow.put("plan_id", id);
    everyRow.put("plan_repetition", Integer.toString(cell.repetition()));
    Measuring.Found found = runner.run(cell, everyRow);
    if (found.record().complete()) {
      missing.remove(cell);
    } else if (!found.interrupted()) {
      failed.add(cell);
    }
    return !found.interrupted();
  }

  private static boolean isTime(List<Cell> missing, Set<Cell> failed) {
    LocalTime now = LocalTime.now(ZoneId.systemDefault());
    return missing.stream().anyMatch(cell -> !failed.contains(cell) && cell.period().holds(now));
  }

  private static String periods(List<Cell> missing, Set<Cell> failed) {
    return TerminalText.printable(
        String.join(
            ", ",
            missing.stream()
                .filter(cell -> !failed.contains(cell))
                .map(cell -> "'" + cell.period().name() + "' (from " + cell.period().from() + ")")
                .distinct()
                .toList()));
  }

  private ExitCode show(
      ResultRecord.Builder result,
      List<Cell> missing,
      Set<Cell> failed,
      boolean interrupted,
      Output output) {
    ExitCode code = missing.isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    int all = cells.size();
    output.line(
        TerminalText.printable(
            name
                + ": "
                + (all - missing.size())
                + " of "
                + all
                + " runs are done"
                + (failed.isEmpty() ? "" : ", " + failed.size() + " failed")
                + (interrupted
                    ? "; interrupted, the same command goes on"
                    : missing.size() > failed.size() ? "; the others wait for their period" : "")));
    result.figure("runs", all).figure("missing", missing.size()).figure("failed", failed.size());
    output.json(result.build(missing.isEmpty(), code.value()).toJson());
    return code;
  }

  /** What the file of results does not hold yet, whole. */
  private List<Cell> missing() {
    Set<List<String>> done = new HashSet<>();
    if (Files.exists(out) && out.toFile().length() > 0) {
      for (ResultRecord record : ResultFile.read(out).records()) {
        Map<String, String> facts = record.facts();
        if (name.equals(facts.get("plan")) && !id.equals(facts.get("plan_id"))) {
          throw new EbbException(
              ExitCode.USAGE,
              "'" + out + "' has results of another version of this plan; give another --out");
        }
        if (record.complete() && name.equals(facts.get("plan"))) {
          done.add(
              List.of(
                  facts.getOrDefault("region", ""),
                  facts.getOrDefault("period", ""),
                  facts.getOrDefault("plan_repetition", "")));
        }
      }
    }
    List<Cell> missing = new ArrayList<>();
    for (Cell cell : cells) {
      if (!done.contains(key(cell))) {
        missing.add(cell);
      }
    }
    return missing;
  }

  private static List<String> key(Cell cell) {
    return List.of(cell.region().name(), cell.period().name(), Integer.toString(cell.repetition()));
  }
}

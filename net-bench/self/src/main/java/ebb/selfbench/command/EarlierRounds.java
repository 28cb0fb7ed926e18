package ebb.selfbench.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Series;
import ebb.selfbench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What earlier runs measured, by their records: one that goes on after them has their rounds before
 * its own. Only runs with the same settings on the same machine go together.
 */
final class EarlierRounds {
  /** What must be alike in all, of {@link ResultRecord#figures} and of the environment. */
  private static final List<String> SETTINGS =
      List.of("datagram_bytes", "warm_up_millis", "measured_millis");

  private static final List<String> MACHINE = List.of("cpus", "cpu", "os", "jvm");

  private static final String SUBJECT = "subject";
  private static final String ROUND = "round";
  private static final String RATE = "megabytes_per_second";
  private static final String CPU = "cpu_seconds_per_gigabyte";

  private final Map<String, Map<Integer, Sample>> bySubject = new LinkedHashMap<>();

  /**
   * Reads the records in the order of the runs.
   *
   * @param own a record of this run, without rows
   * @throws EbbException USAGE, when one is no such record or does not go with this run
   */
  static EarlierRounds read(List<Path> files, ResultRecord own) {
    EarlierRounds earlier = new EarlierRounds();
    int before = 0;
    for (Path file : files) {
      ResultRecord record = record(file);
      if (!record.command().equals(own.command())) {
        throw refused(file, "is of ebb " + record.command());
      }
      for (String name : SETTINGS) {
        alike(file, name, record.figures().get(name), own.figures().get(name));
      }
      for (String name : MACHINE) {
        alike(file, name, record.environment().get(name), own.environment().get(name));
      }
      int last = before;
      for (Map<String, @Nullable Object> row : record.rows()) {
        if (row.get(SUBJECT) instanceof String name && row.get(ROUND) instanceof Number round) {
          int number = before + round.intValue();
          earlier.bySubject.computeIfAbsent(name, any -> new TreeMap<>()).put(number, sample(row));
          last = Math.max(last, number);
        }
      }
      before = last;
    }
    return earlier;
  }

  private static ResultRecord record(Path file) {
    try {
      return ResultRecord.fromJson(Files.readString(file));
    } catch (IOException | IllegalArgumentException e) {
      throw refused(file, "cannot be read: " + OneLine.of(e));
    }
  }

  private static void alike(Path file, String name, @Nullable Object there, @Nullable Object here) {
    if (!String.valueOf(there).equals(String.valueOf(here))) {
      throw refused(file, "was measured with " + name + " " + there + ", and here is " + here);
    }
  }

  private static EbbException refused(Path file, String why) {
    return new EbbException(ExitCode.USAGE, "--after: " + file + " " + why);
  }

  private static Sample sample(Map<String, @Nullable Object> row) {
    Map<String, Double> details = new LinkedHashMap<>();
    row.forEach(
        (name, value) -> {
          if (value instanceof Number number && !List.of(ROUND, RATE, CPU).contains(name)) {
            details.put(name, number.doubleValue());
          }
        });
    return new Sample(number(row.get(RATE)), number(row.get(CPU)), details);
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  boolean measured(String subject) {
    return bySubject.containsKey(subject);
  }

  /**
   * The subject's series with the rounds of before.
   *
   * @param missing why no more can be measured; "" when they can
   */
  Series series(Subject subject, String missing) {
    Series series = new Series(subject, missing);
    bySubject.getOrDefault(subject.name(), Map.of()).forEach(series::add);
    return series;
  }
}

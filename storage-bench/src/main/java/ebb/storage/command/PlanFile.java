package ebb.storage.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A plan of many runs: regions, periods of the day and repetitions, from a TOML file. It owns what
 * may stand in one.
 *
 * @param id changes with whatever stands in the file
 */
record PlanFile(
    String name,
    String id,
    int repetitions,
    List<String> cases,
    @Nullable String preset,
    @Nullable ByteSize size,
    @Nullable Micros time,
    List<Region> regions,
    List<Period> periods) {
  private static final Set<String> TOP =
      Set.of("name", "repetitions", "cases", "preset", "size", "time", "region", "period");
  private static final Set<String> OF_REGION =
      Set.of("name", "target", "endpoint", "location", "project");
  private static final Set<String> OF_PERIOD = Set.of("name", "from", "to");
  private static final int MAX_CELLS = 100_000;

  /** Where to measure. */
  record Region(
      String name,
      String target,
      @Nullable String endpoint,
      @Nullable String location,
      @Nullable String project) {}

  /** When to measure, by the clock of this machine; past midnight when {@code to} is earlier. */
  record Period(String name, @Nullable LocalTime from, @Nullable LocalTime to) {
    boolean holds(LocalTime time) {
      if (from == null || to == null) {
        return true;
      }
      return from.isBefore(to)
          ? !time.isBefore(from) && time.isBefore(to)
          : !time.isBefore(from) || time.isBefore(to);
    }
  }

  /** One run of it. */
  record Cell(Region region, Period period, int repetition) {}

  /** All runs: a repetition everywhere and always before the next one. */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Period period : periods) {
        for (Region region : regions) {
          cells.add(new Cell(region, period, repetition));
        }
      }
    }
    return cells;
  }

  /**
   * Reads a file.
   *
   * @throws EbbException USAGE with one line about what is wrong with it
   */
  static PlanFile read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.USAGE, "cannot read '" + file + "': " + ResultFile.reason(e), e);
    }
    TomlParseResult toml = Toml.parse(text);
    if (toml.hasErrors()) {
      var first = toml.errors().get(0);
      throw wrong(
          file,
          "line "
              + first.position().line()
              + ": "
              + String.valueOf(first.getMessage()).replace('\n', ' '));
    }
    try {
      return of(toml, text);
    } catch (IllegalArgumentException
        | DateTimeParseException
        | org.tomlj.TomlInvalidTypeException e) {
      throw wrong(file, String.valueOf(e.getMessage()));
    }
  }

  /** A short name for a text. */
  static String id(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  private static EbbException wrong(Path file, String why) {
    return new EbbException(ExitCode.USAGE, "'" + file + "': " + why);
  }

  private static PlanFile of(TomlTable toml, String text) {
    known("the plan", toml, TOP);
    Long repetitions = toml.getLong("repetitions");
    if (repetitions == null || repetitions < 1 || repetitions > MAX_CELLS) {
      throw new IllegalArgumentException("repetitions must be 1 to " + MAX_CELLS);
    }
    List<String> cases = new ArrayList<>();
    TomlArray named = toml.getArray("cases");
    for (int i = 0; named != null && i < named.size(); i++) {
      cases.add(named.getString(i));
    }
    String preset = toml.getString("preset");
    if (cases.isEmpty() == (preset == null)) {
      throw new IllegalArgumentException("give either cases or a preset");
    }
    String size = toml.getString("size");
    String time = toml.getString("time");
    PlanFile plan =
        new PlanFile(
            required(toml, "the plan", "name"),
            id(text),
            repetitions.intValue(),
            cases,
            preset,
            size == null ? null : ByteSize.parse(size),
            time == null ? null : Micros.parse(time),
            regions(toml.getArray("region")),
            periods(toml.getArray("period")));
    if (plan.repetitions * (long) plan.regions.size() * plan.periods.size() > MAX_CELLS) {
      throw new IllegalArgumentException("more than " + MAX_CELLS + " runs");
    }
    return plan;
  }

  private static List<Region> regions(@Nullable TomlArray tables) {
    List<Region> regions = new ArrayList<>();
    for (int i = 0; tables != null && i < tables.size(); i++) {
      TomlTable table = tables.getTable(i);
      known("a region", table, OF_REGION);
      regions.add(
          new Region(
              required(table, "a region", "name"),
              required(table, "a region", "target"),
              table.getString("endpoint"),
              table.getString("location"),
              table.getString("project")));
    }
    if (regions.isEmpty()) {
      throw new IllegalArgumentException("there is no [[region]]");
    }
    unique("region", regions.stream().map(Region::name).toList());
    return regions;
  }

  private static List<Period> periods(@Nullable TomlArray tables) {
    List<Period> periods = new ArrayList<>();
    for (int i = 0; tables != null && i < tables.size(); i++) {
      TomlTable table = tables.getTable(i);
      known("a period", table, OF_PERIOD);
      String from = table.getString("from");
      String to = table.getString("to");
      if ((from == null) != (to == null)) {
        throw new IllegalArgumentException("a period has both from and to, or neither");
      }
      periods.add(
          new Period(
              required(table, "a period", "name"),
              from == null ? null : LocalTime.parse(from),
              to == null ? null : LocalTime.parse(to)));
    }
    if (periods.isEmpty()) {
      periods.add(new Period("any", null, null));
    }
    unique("period", periods.stream().map(Period::name).toList());
    return periods;
  }

  private static void unique(String what, List<String> names) {
    if (Set.copyOf(names).size() < names.size()) {
      throw new IllegalArgumentException("two of [[" + what + "]] have the same name");
    }
  }

  private static String required(TomlTable table, String of, String key) {
    String value = table.getString(key);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(of + " has no " + key);
    }
    return value;
  }

  private static void known(String of, TomlTable table, Set<String> keys) {
    for (String key : table.keySet()) {
      if (!keys.contains(key)) {
        throw new IllegalArgumentException(of + " has an unknown key '" + key + "'");
      }
    }
  }
}

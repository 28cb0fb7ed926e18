package ebb.storage.command;

import ebb.core.cli.EbbException;
import ebb.core.toml.TomlReader;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import ebb.storage.bench.StorageCase;
import ebb.storage.gcs.Variant;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

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
    @Nullable String mix,
    @Nullable Double rate,
    @Nullable ByteSize size,
    @Nullable Micros time,
    List<String> clients,
    @Nullable String ssh,
    List<Region> regions,
    List<Period> periods) {
  private static final Set<String> TOP =
      Set.of(
          "name",
          "repetitions",
          "cases",
          "preset",
          "size",
          "time",
          "region",
          "period",
          "rate",
          "mix",
          "clients",
          "ssh");
  private static final Set<String> OF_REGION =
      Set.of("name", "target", "endpoint", "location", "project", "variant");
  private static final Set<String> OF_PERIOD = Set.of("name", "from", "to");
  private static final int MAX_CELLS = 100_000;

  /** Where to measure. */
  record Region(
      String name,
      String target,
      @Nullable String endpoint,
      @Nullable String location,
      @Nullable String project,
      @Nullable String variant) {}

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
    String text = TomlReader.textOf(file);
    return of(TomlReader.parse(file, text, "the plan"), id(text));
  }

  /** A short name for a text. */
  static String id(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  private static PlanFile of(TomlReader toml, String id) {
    toml.only(TOP);
    int repetitions = toml.number("repetitions", 0, 1, MAX_CELLS);
    if (repetitions == 0) {
      throw toml.wrong("repetitions", "the plan has no 'repetitions'");
    }
    List<String> cases = toml.texts("cases");
    String preset = toml.text("preset");
    String mix = toml.parsed("mix", PlanFile::mixture);
    Double rate = toml.decimal("rate");
    if (rate != null && !(rate > 0 && rate <= RunOptions.MAX_RATE)) {
      throw toml.wrong(
          "rate",
          "'rate' has to be more than 0 and at most "
              + (long) RunOptions.MAX_RATE
              + ", not "
              + rate);
    }
    if ((cases.isEmpty() && mix == null) == (preset == null)) {
      throw toml.wrong("cases", "give either 'cases', a 'mix' or both, or a 'preset'");
    }
    List<Region> regions = regions(toml);
    List<Period> periods = periods(toml);
    if (repetitions * (long) regions.size() * periods.size() > MAX_CELLS) {
      throw toml.wrong("repetitions", "more than " + MAX_CELLS + " runs");
    }
    return new PlanFile(
        toml.required("name"),
        id,
        repetitions,
        cases,
        preset,
        mix,
        rate,
        toml.byteSize("size"),
        toml.micros("time"),
        toml.texts("clients"),
        toml.text("ssh"),
        regions,
        periods);
  }

  private static List<Region> regions(TomlReader toml) {
    List<Region> regions = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TomlReader table : toml.tables("region")) {
      table.only(OF_REGION);
      regions.add(
          new Region(
              uniqueName(table, names),
              table.required("target"),
              table.text("endpoint"),
              table.text("location"),
              table.text("project"),
              table.parsed("variant", text -> Variant.parse(text).word())));
    }
    if (regions.isEmpty()) {
      throw toml.wrong("region", "there is no [[region]]");
    }
    return regions;
  }

  private static List<Period> periods(TomlReader toml) {
    List<Period> periods = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TomlReader table : toml.tables("period")) {
      table.only(OF_PERIOD);
      LocalTime from = table.parsed("from", PlanFile::time);
      LocalTime to = table.parsed("to", PlanFile::time);
      if ((from == null) != (to == null)) {
        throw table.wrong("from", "a period has both 'from' and 'to', or neither");
      }
      periods.add(new Period(uniqueName(table, names), from, to));
    }
    return periods.isEmpty() ? List.of(new Period("any", null, null)) : periods;
  }

  /** A mixture's shares as its case names them. */
  private static String mixture(String text) {
    return StorageCase.parse(StorageCase.MIX + text).name().substring(StorageCase.MIX.length());
  }

  private static LocalTime time(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("'" + text + "' is no time of day such as 08:30", e);
    }
  }

  private static String uniqueName(TomlReader table, Set<String> names) {
    String name = table.required("name");
    if (!names.add(name)) {
      throw table.wrong("name", "another one has the same name '" + name + "'");
    }
    return name;
  }
}

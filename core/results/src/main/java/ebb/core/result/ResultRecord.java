package ebb.core.result;

import ebb.core.time.MicroClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command found out, for machines: one versioned schema for all commands, in JSON and in CSV
 * (docs/results.md). Figures are numbers whose names end in their unit ({@code
 * rate_bytes_per_second}); facts are words; rows are repeated measurements with the same columns.
 * Immutable.
 *
 * @param schema always {@link #SCHEMA}
 * @param command as the user would type it, such as {@code "ledbat send"}
 * @param started UTC, ISO 8601
 * @param durationMicros from {@link #of} to {@link Builder#build}, by the monotonic clock; negative
 *     for a record that does not say
 * @param complete false when the run was interrupted or failed half-way
 * @param exitCode of the command
 * @param figures numbers by name, Long or Double; null for one that could not be measured
 * @param facts words by name
 * @param rows repeated measurements; values are String, Long, Double, Boolean or null
 * @param warnings what a reader must know before believing the figures
 * @param environment where it was measured
 */
public record ResultRecord(
    String schema,
    String command,
    String started,
    long durationMicros,
    boolean complete,
    int exitCode,
    Map<String, @Nullable Number> figures,
    Map<String, String> facts,
    List<Map<String, @Nullable Object>> rows,
    List<String> warnings,
    Map<String, String> environment) {

  /**
   * The name and version of the schema; the number grows when a reader of the old one would err.
   */
  public static final String SCHEMA = "ebb-result/1";

  /** Starts a result for a command that starts now. */
  public static Builder of(String command) {
    return of(command, Instant.now(), MicroClock.system());
  }

  static Builder of(String command, Instant started, MicroClock clock) {
    return new Builder(command, started.toString(), clock);
  }

  /**
   * Reads what {@link #toJson} wrote. Fields that it does not know are skipped.
   *
   * @throws IllegalArgumentException with one line, when it is not such a record
   */
  public static ResultRecord fromJson(String json) {
    return ResultJson.read(json);
  }

  /** One line of JSON. */
  public String toJson() {
    return ResultJson.write(this);
  }

  /**
   * The run as CSV (RFC 4180): a header line, and a line with the command, the start, the end, all
   * figures and all facts. Runs of one command have the same header, so their lines can be
   * collected in one file.
   */
  public String toCsv() {
    Map<String, @Nullable Object> run = new LinkedHashMap<>();
    run.put("schema", schema);
    run.put("command", command);
    run.put("started", started);
    run.put("duration_micros", durationMicros < 0 ? null : durationMicros);
    run.put("complete", complete);
    run.put("exit_code", exitCode);
    // Prefixed, for a figure may have the name of a fact.
    figures.forEach((name, value) -> run.put("figure." + name, value));
    facts.forEach((name, value) -> run.put("fact." + name, value));
    return csv(List.of(run));
  }

  /** The rows as CSV with a header line (RFC 4180); a missing value is empty. */
  public String rowsToCsv() {
    return csv(rows);
  }

  private static String csv(List<Map<String, @Nullable Object>> rows) {
    LinkedHashMap<String, Boolean> columns = new LinkedHashMap<>();
    rows.forEach(row -> row.keySet().forEach(column -> columns.put(column, true)));
    StringBuilder csv = new StringBuilder();
    appendLine(csv, new ArrayList<>(columns.keySet()));
    for (Map<String, @Nullable Object> row : rows) {
      List<String> cells = new ArrayList<>();
      for (String column : columns.keySet()) {
        Object value = row.get(column);
        cells.add(value == null ? "" : value.toString());
      }
      appendLine(csv, cells);
    }
    return csv.toString();
  }

  private static void appendLine(StringBuilder csv, List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      boolean quoted = cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      csv.append(i == 0 ? "" : ",");
      csv.append(quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
    csv.append("\r\n");
  }

  /** Collects a result. Not thread-safe. */
  public static final class Builder {
    private final String command;
    private final String started;
    private final MicroClock clock;
    private final long startMicros;
    private final Map<String, @Nullable Number> figures = new LinkedHashMap<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    Builder(String command, String started, MicroClock clock) {
      this.command = command;
      this.started = started;
      this.clock = clock;
      startMicros = clock.nowMicros();
    }

    /** Adds a number; one that is not finite becomes null. */
    public Builder figure(String name, double value) {
      figures.put(name, Double.isFinite(value) ? value : null);
      return this;
    }

    public Builder figure(String name, long value) {
      figures.put(name, value);
      return this;
    }

    public Builder fact(String name, String value) {
      facts.put(name, value);
      return this;
    }

    /**
     * Adds a row; a number that is not finite becomes null.
     *
     * @throws IllegalArgumentException for a value that is no string, number, boolean or null
     */
    public Builder row(Map<String, @Nullable Object> row) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      row.forEach((name, value) -> copy.put(name, ResultJson.scalar(name, value)));
      rows.add(Collections.unmodifiableMap(copy));
      return this;
    }

    public Builder warning(String warning) {
      warnings.add(warning);
      return this;
    }

    /** The record, with this machine's environment. */
    public ResultRecord build(boolean complete, int exitCode) {
      return new ResultRecord(
          SCHEMA,
          command,
          started,
          clock.nowMicros() - startMicros,
          complete,
          exitCode,
          Collections.unmodifiableMap(new LinkedHashMap<>(figures)),
          Collections.unmodifiableMap(new LinkedHashMap<>(facts)),
          List.copyOf(rows),
          List.copyOf(warnings),
          Environment.capture());
    }
  }
}

package ebb.core.result;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command found out, for machines: one versioned schema for all commands. Figures are
 * numbers whose names end in their unit ({@code rate_bytes_per_second}); facts are words; rows are
 * repeated measurements with the same columns.
 *
 * @param schema always {@link #SCHEMA}
 * @param command as the user would type it, such as {@code "ledbat send"}
 * @param started UTC, ISO 8601
 * @param complete false when the run was interrupted or failed half-way
 * @param exitCode of the command
 * @param figures numbers by name; null for one that could not be measured
 * @param facts words by name
 * @param rows repeated measurements
 * @param warnings what a reader must know before believing the figures
 * @param environment where it was measured
 */
public record ResultRecord(
    String schema,
    String command,
    String started,
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
    return new Builder(command, Instant.now().toString());
  }

  /** One line of JSON. */
  public String toJson() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("schema", schema);
    fields.put("command", command);
    fields.put("started", started);
    fields.put("complete", complete);
    fields.put("exit_code", exitCode);
    fields.put("figures", figures);
    fields.put("facts", facts);
    fields.put("rows", rows);
    fields.put("warnings", warnings);
    fields.put("environment", environment);
    try {
      return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows as CSV with a header line (RFC 4180); a missing value is empty. */
  public String rowsToCsv() {
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
    private final Map<String, @Nullable Number> figures = new LinkedHashMap<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    Builder(String command, String started) {
      this.command = command;
      this.started = started;
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

    public Builder row(Map<String, @Nullable Object> row) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>(row);
      copy.replaceAll(
          (name, value) -> value instanceof Double d && !Double.isFinite(d) ? null : value);
      rows.add(copy);
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
          complete,
          exitCode,
          new LinkedHashMap<>(figures),
          new LinkedHashMap<>(facts),
          List.copyOf(rows),
          List.copyOf(warnings),
          Environment.capture());
    }
  }
}

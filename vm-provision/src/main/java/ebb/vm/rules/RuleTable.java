package ebb.vm.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The rows of a data file beside this class. */
final class RuleTable {
  private RuleTable() {}

  /** Rows of {@code columns} cells; lines that begin with # are left out. */
  static List<List<String>> read(String name, int columns) {
    try (InputStream in = RuleTable.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      List<List<String>> rows = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#") && !line.isBlank()) {
          List<String> cells = List.of(line.split(",", -1));
          if (cells.size() != columns) {
            throw new IllegalStateException(name + ": " + line);
          }
          rows.add(cells);
        }
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The series of a machine type: {@code n2} of {@code n2-standard-4}. */
  static String series(String machineType) {
    int dash = machineType.indexOf('-');
    return dash < 0 ? machineType : machineType.substring(0, dash);
  }
}

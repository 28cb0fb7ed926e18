package ebb.launcher.shipped;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What people have written of each library: dependencies.txt, by its sections. */
final class Reasons {
  private final Map<String, Map<String, Reason>> sections = new TreeMap<>();

  /**
   * Of one library.
   *
   * @param licence by its SPDX name, or several with "or"
   */
  record Reason(String licence, String why) {}

  private Reasons() {}

  static Reasons read() throws IOException {
    Reasons reasons = new Reasons();
    Map<String, Reason> section = Map.of();
    try (InputStream in = Reasons.class.getResourceAsStream("/dependencies.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("[")) {
          section = new TreeMap<>();
          reasons.sections.put(line.substring(1, line.length() - 1), section);
        } else if (!line.isBlank() && !line.startsWith("#")) {
          String[] parts = line.split(" \\| ", 3);
          section.put(parts[0], new Reason(parts[1], parts[2]));
        }
      }
    }
    return reasons;
  }

  /** By library, in alphabetical order. */
  Map<String, Reason> of(String section) {
    return sections.get(section);
  }
}

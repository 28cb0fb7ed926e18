package ebb.ledbat.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document that Ebb follows, and its clauses: a file of {@code src/spec}.
 *
 * <p>The first line is {@code RFC 6817: its title}. A clause begins with a line {@code id section
 * level}; its text follows, indented by two spaces, and then notes, {@code - deviation: ...},
 * {@code - exception: ...} or {@code - untested: ...}, which go on in lines indented by four. Lines
 * that begin with {@code #} and empty ones count for nothing.
 */
record Document(String name, String title, List<Clause> clauses) {
  private static final Pattern HEAD = Pattern.compile("(\\S+) (.+) (MUST|SHOULD|MAY|text)");
  private static final Pattern NOTE = Pattern.compile("- (deviation|exception|untested): (.*)");

  static Document read(Path file) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.removeIf(line -> line.isBlank() || line.startsWith("#"));
    String first = lines.remove(0);
    int colon = first.indexOf(": ");
    String name = first.substring(0, colon);
    List<Clause> clauses = new ArrayList<>();
    int at = 0;
    while (at < lines.size()) {
      Matcher head = HEAD.matcher(lines.get(at));
      if (!head.matches()) {
        throw new IllegalArgumentException(file + ": no clause begins with: " + lines.get(at));
      }
      int end = at + 1;
      Map<String, StringBuilder> parts = new LinkedHashMap<>();
      StringBuilder part = new StringBuilder();
      parts.put("text", part);
      for (; end < lines.size() && lines.get(end).startsWith("  "); end++) {
        Matcher note = NOTE.matcher(lines.get(end).strip());
        if (note.matches()) {
          part = new StringBuilder(note.group(2));
          parts.put(note.group(1), part);
        } else {
          part.append(part.isEmpty() ? "" : " ").append(lines.get(end).strip());
        }
      }
      Map<String, String> texts = new LinkedHashMap<>();
      parts.forEach((key, value) -> texts.put(key, value.toString()));
      clauses.add(
          new Clause(
              name,
              head.group(1),
              head.group(2),
              head.group(3),
              parts.get("text").toString(),
              texts.get("deviation"),
              texts.get("exception"),
              texts.get("untested")));
      at = end;
    }
    return new Document(name, first.substring(colon + 2), List.copyOf(clauses));
  }
}

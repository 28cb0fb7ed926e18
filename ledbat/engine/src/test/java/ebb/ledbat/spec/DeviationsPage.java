package ebb.ledbat.spec;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** docs/deviations.md: {@code src/spec/deviations.md} with a table in place of each document. */
final class DeviationsPage {
  private static final Pattern PLACE = Pattern.compile("<!-- clauses of (.+) -->");

  private DeviationsPage() {}

  static String render(String template, Evidence evidence) {
    String note = "<!-- Made from ledbat/engine/src/spec; CONTRIBUTING.md says how. -->\n";
    return note
        + PLACE
            .matcher(template)
            .replaceAll(
                place ->
                    evidence.documents().stream()
                        .filter(document -> document.name().equals(place.group(1)))
                        .map(document -> Matcher.quoteReplacement(table(document, evidence)))
                        .findFirst()
                        .orElseThrow());
  }

  private static String table(Document document, Evidence evidence) {
    StringBuilder table = new StringBuilder();
    table.append(
        "| # | clause | code | tests | what Ebb does differently |\n|---|---|---|---|---|");
    for (Clause clause : document.clauses()) {
      table.append(
          String.format(
              "%n| %s | %s: \"%s\" | %s | %s | %s |",
              clause.id(),
              clause.section(),
              escaped(clause.text()),
              names(evidence.elements(clause, false)),
              names(evidence.elements(clause, true)),
              remarks(clause)));
    }
    return table.toString();
  }

  private static String names(Set<String> elements) {
    return elements.isEmpty()
        ? "-"
        : elements.stream().map(name -> '`' + name + '`').collect(Collectors.joining(", "));
  }

  private static String remarks(Clause clause) {
    return Stream.of(clause.deviation(), clause.exception(), clause.untested())
        .flatMap(Stream::ofNullable)
        .collect(Collectors.joining(" "));
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "\\<");
  }
}

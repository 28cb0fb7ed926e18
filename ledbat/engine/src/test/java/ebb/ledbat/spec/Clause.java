package ebb.ledbat.spec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One clause of a document that Ebb follows, as it stands in {@code src/spec}.
 *
 * @param document its short name, as citations write it: {@code RFC 6817}
 * @param id its name in docs/deviations.md
 * @param section its section, as citations write it
 * @param level MUST, SHOULD, MAY, or text where the document uses none of these words
 * @param text the document's own words; line breaks became spaces
 * @param deviation what Ebb does differently, or adds; null where it does as the clause says
 * @param exception why nothing in main code is cited for it; null where something has to be
 * @param untested why no test is cited for it; null where one has to be
 */
record Clause(
    String document,
    String id,
    String section,
    String level,
    String text,
    @Nullable String deviation,
    @Nullable String exception,
    @Nullable String untested) {

  /** Whether {@code quote}, parts of which may be left out at {@code ...}, is taken from here. */
  boolean contains(String quote) {
    String folded = fold(text);
    int from = 0;
    for (String part : List.of(fold(quote).split("\\.\\.\\.", -1))) {
      int at = folded.indexOf(part.strip(), from);
      if (at < 0) {
        return false;
      }
      from = at + part.strip().length();
    }
    return true;
  }

  /** Without what a quotation in a comment may change: breaks, quotation marks, lines' ends. */
  static String fold(String text) {
    return text.replace('"', '\'').replaceAll("[\\s;#]+", " ").strip();
  }
}

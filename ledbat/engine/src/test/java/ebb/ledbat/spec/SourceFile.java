package ebb.ledbat.spec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The comments of one Java source, and what they quote. */
final class SourceFile {
  /** Literals are matched too, so that no comment is seen in them. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
              + "|/\\*(?s:.*?)\\*/|//[^\n]*(?:\n[ \t]*//[^\n]*)*");

  private final String path;
  private final String source;
  private final Collection<String> documents;

  SourceFile(String path, String source, Collection<String> documents) {
    this.path = path;
    this.source = source;
    this.documents = documents;
  }

  /** Whether any of the documents is named at all. */
  boolean mayCite() {
    return documents.stream().anyMatch(source::contains);
  }

  /** The quotations in comments: a document, a comma, a section, a colon and the quoted words. */
  List<Citation> citations(Members members) {
    String names = documents.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    Pattern form = Pattern.compile("\\b(" + names + ")([^:\"]{0,50}): \"([^\"]*)\"");
    List<Citation> found = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      if (token.group().startsWith("/")) {
        Matcher quotation = form.matcher(textOf(token.group()));
        while (quotation.find()) {
          long line = source.substring(0, token.start()).lines().count() + 1;
          if (token.start() > 0 && source.charAt(token.start() - 1) != '\n') {
            line--; // The comment does not stand at the beginning of its line.
          }
          found.add(
              new Citation(
                  path + ":" + line,
                  members.at(token.start()),
                  path.contains("src/test/"),
                  path.contains("/ebb/ledbat/"),
                  quotation.group(1),
                  quotation.group(2).replaceFirst("^, ", ""),
                  quotation.group(3)));
        }
      }
    }
    return found;
  }

  /** A comment as one line, without what marks it as one. */
  static String textOf(String comment) {
    return comment
        .replaceAll("^/\\*+|\\*/$|(?m)^[ \t]*(\\*(?!/)|//)", " ")
        .replaceAll("\\{@(?:code|literal) ([^}]*)}|<p>", "$1 ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replaceAll("\\s+", " ")
        .strip();
  }
}

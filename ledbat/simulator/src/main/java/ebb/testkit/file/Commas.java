package ebb.testkit.file;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * What HOCON forgives and a scenario must not: two objects without a comma become one, of two equal
 * keys the last one counts, and files of others can be included. It looks at the text only; what
 * the keys mean is not its business.
 */
final class Commas {
  private static final String CLOSERS = ",}])";

  private final String origin;
  private final String text;
  private int at;
  private int line = 1;

  /** The keys of the objects that are open, with their lines; null stands for an open list. */
  private final ArrayDeque<Map<String, Integer>> open = new ArrayDeque<>();

  private boolean expectsKey = true;

  private Commas(String origin, String text) {
    this.origin = origin;
    this.text = text;
  }

  /** Throws with file and line when {@code text} has something of that. */
  static void check(String origin, String text) throws ScenarioFileException {
    new Commas(origin, text).check();
  }

  private void check() throws ScenarioFileException {
    open.push(new HashMap<>());
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n') {
        next();
        expectsKey = inObject();
      } else if (c == '#' || text.startsWith("//", at)) {
        skipComment();
      } else if (Character.isWhitespace(c)) {
        next();
      } else if (c == '{' || c == '[') {
        next();
        open.push(c == '{' ? new HashMap<>() : LIST);
        expectsKey = c == '{';
      } else if (c == '}' || c == ']') {
        next();
        if (open.size() > 1) {
          open.pop();
        }
        expectsKey = false;
        requireSeparator(c);
      } else if (c == ',') {
        next();
        expectsKey = inObject();
      } else if (expectsKey) {
        key();
      } else {
        value();
      }
    }
  }

  /** Never written to. */
  private static final Map<String, Integer> LIST = new HashMap<>();

  private boolean inObject() {
    return open.peek() != LIST;
  }

  private void next() {
    if (text.charAt(at++) == '\n') {
      line++;
    }
  }

  private void skipComment() {
    while (at < text.length() && text.charAt(at) != '\n') {
      at++;
    }
  }

  /** Behind what {@code closed} closes there is nothing, a comma, a comment or the next line. */
  private void requireSeparator(char closed) throws ScenarioFileException {
    while (at < text.length() && " \t\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    boolean separated =
        at == text.length()
            || text.charAt(at) == '\n'
            || text.charAt(at) == '#'
            || text.startsWith("//", at)
            || CLOSERS.indexOf(text.charAt(at)) >= 0;
    if (!separated) {
      throw refuse("a comma is missing behind \"" + closed + "\"");
    }
  }

  private void key() throws ScenarioFileException {
    StringBuilder key = new StringBuilder();
    while (at < text.length() && "=:{}[],\n#".indexOf(text.charAt(at)) < 0) {
      if (text.charAt(at) == '"') {
        key.append(quoted());
      } else {
        key.append(text.charAt(at++));
      }
    }
    String name = key.toString().strip();
    expectsKey = false;
    if (name.matches("include\\b.*")) {
      throw refuse("a scenario is one file: no include");
    }
    if (name.endsWith("+")) {
      throw refuse("\"+=\" has no meaning in a scenario");
    }
    boolean isKey = at < text.length() && "=:{".indexOf(text.charAt(at)) >= 0;
    Map<String, Integer> keys = open.peek();
    if (isKey && keys != null) {
      Integer before = keys.putIfAbsent(name, line);
      if (before != null) {
        throw refuse("\"" + name + "\" is there twice, first in line " + before);
      }
    }
    if (at < text.length() && "=:".indexOf(text.charAt(at)) >= 0) {
      at++;
      skipBlanksBeforeValue();
    }
  }

  /** HOCON lets a value begin in the next line. */
  private void skipBlanksBeforeValue() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      next();
    }
  }

  private void value() {
    if (text.charAt(at) == '"') {
      quoted();
    } else if (text.startsWith("${", at)) {
      while (at < text.length() && text.charAt(at) != '}' && text.charAt(at) != '\n') {
        at++;
      }
      at = Math.min(text.length(), at + 1);
    } else {
      next();
    }
  }

  private String quoted() {
    if (text.startsWith("\"\"\"", at)) {
      int end = text.indexOf("\"\"\"", at + 3);
      int stop = end < 0 ? text.length() : end + 3;
      String all = text.substring(at, stop);
      while (at < stop) {
        next();
      }
      return all;
    }
    int begin = ++at;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at, text.length());
    String inside = text.substring(Math.min(begin, at), at);
    if (at < text.length() && text.charAt(at) == '"') {
      at++;
    }
    return inside;
  }

  private ScenarioFileException refuse(String message) {
    return new ScenarioFileException(origin + ":" + line + ": " + message);
  }
}

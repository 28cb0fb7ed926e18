package ebb.storage.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Something that the demo server does wrong on purpose.
 *
 * @param kind what
 * @param at to which requests
 * @param skip so many of these are served well first
 * @param times how often, then never again; {@link Integer#MAX_VALUE} for always
 */
public record Fault(Kind kind, At at, int skip, int times) {
  /** What goes wrong. */
  public enum Kind {
    /** "Slow down": 429. */
    TOO_MANY_REQUESTS("429"),
    /** 503. */
    UNAVAILABLE("503"),
    /** The connection is reset in the middle of the content, whichever way that goes. */
    RESET("reset"),
    /** Nothing more comes, and the connection stays open. */
    STALL("stall"),
    /** The content ends early, in an orderly way. */
    TRUNCATE("truncate"),
    /** A byte of the content, or of the checksum told after an upload, is wrong. */
    CORRUPT("corrupt"),
    /** The work is done and its answer lost: the connection is reset instead. */
    LOST_ANSWER("lost-answer"),
    /** "Your token is not valid": 401; for a new token, that there is none any more: 400. */
    UNAUTHORIZED("401"),
    /** "You may not": 403. */
    FORBIDDEN("403");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** Kinds of requests. */
  public enum At {
    /** All but {@link #TOKEN}. */
    ANY,
    PUT,
    GET,
    LIST,
    DELETE,
    CREATE,
    REMOVE,
    /** For a token; those that are read from text spare the first one. */
    TOKEN
  }

  public Fault {
    if (skip < 0 || times < 1) {
      throw new IllegalArgumentException("no fault: " + skip + ", " + times);
    }
  }

  public static Fault once(Kind kind, At at) {
    return new Fault(kind, at, 0, 1);
  }

  /**
   * Reads {@code 503}, {@code reset@get}, {@code corrupt@get*3}, {@code 429@put*always}.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  public static Fault parse(String text) {
    String rest = text;
    int times = 1;
    int star = rest.indexOf('*');
    if (star >= 0) {
      String count = rest.substring(star + 1);
      rest = rest.substring(0, star);
      try {
        times = count.equals("always") ? Integer.MAX_VALUE : Integer.parseInt(count);
      } catch (NumberFormatException e) {
        throw notOne(text);
      }
    }
    String word = rest;
    At at = At.ANY;
    int sign = rest.indexOf('@');
    if (sign >= 0) {
      word = rest.substring(0, sign);
      try {
        at = At.valueOf(rest.substring(sign + 1).toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw notOne(text);
      }
    }
    for (Kind kind : Kind.values()) {
      if (kind.word.equals(word) && times >= 1) {
        // Without a first token nothing would begin that it could be in the middle of.
        return new Fault(kind, at, at == At.TOKEN ? 1 : 0, times);
      }
    }
    throw notOne(text);
  }

  private static IllegalArgumentException notOne(String text) {
    String kinds = Arrays.stream(Kind.values()).map(Kind::word).collect(Collectors.joining(", "));
    String places =
        Arrays.stream(At.values())
            .map(at -> at.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no KIND[@REQUESTS][*TIMES]; kinds are "
            + kinds
            + "; requests are "
            + places
            + "; times is a number or 'always'");
  }
}

package ebb.storage.bench;

import ebb.core.rand.SeededRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of requests and their shares, such as {@code get=70,put=20,stat=5,list=5}.
 *
 * @param shares each 1 or more, of their sum
 */
public record Mix(Map<Kind, Integer> shares) {
  private static final int MAX_SHARE = 1_000_000;

  /** What can be asked of a store again and again. */
  public enum Kind {
    GET,
    PUT,
    STAT,
    LIST,
    DELETE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Mix {
    shares = new EnumMap<>(shares);
  }

  /**
   * Reads shares.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  public static Mix parse(String text) {
    Map<Kind, Integer> shares = new EnumMap<>(Kind.class);
    for (String part : text.split(",", -1)) {
      String[] sides = part.split("=", -1);
      try {
        Kind kind = Kind.valueOf(sides[0].strip().toUpperCase(Locale.ROOT));
        int share = sides.length == 2 ? Integer.parseInt(sides[1].strip()) : 0;
        if (share < 1 || share > MAX_SHARE || shares.put(kind, share) != null) {
          throw notOne(text, null);
        }
      } catch (IllegalArgumentException e) {
        throw notOne(text, e);
      }
    }
    return new Mix(shares);
  }

  private static IllegalArgumentException notOne(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "'" + text + "' is no mix such as get=70,put=20,stat=5,list=5,delete=5", cause);
  }

  boolean has(Kind kind) {
    return shares.containsKey(kind);
  }

  /** One of them, as often as its share says. */
  Kind draw(SeededRandom random) {
    int sum = shares.values().stream().mapToInt(Integer::intValue).sum();
    long at = Math.floorMod(random.nextLong() >>> 1, (long) sum);
    for (Map.Entry<Kind, Integer> one : shares.entrySet()) {
      at -= one.getValue();
      if (at < 0) {
        return one.getKey();
      }
    }
    throw new IllegalStateException("shares that add up to less than their sum");
  }

  /** As {@link #parse} reads it. */
  public String words() {
    List<String> words = new ArrayList<>();
    shares.forEach((kind, share) -> words.add(kind.word() + "=" + share));
    return String.join(",", words);
  }
}

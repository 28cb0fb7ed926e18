package ebb.vm.startup;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of a start-up script's, found on a serial console among what others write there.
 *
 * @param at by the machine's clock
 * @param name such as {@code java}, {@code jar}, {@code server}, {@code task-NAME}, {@code end}
 * @param words about it; may be empty
 */
public record StartupStep(Instant at, String name, State state, String words) {
  private static final Pattern LINE =
      Pattern.compile("\\bebb-step (\\d{1,12}) ([A-Za-z0-9-]+) (begin|ok|failed)\\b ?(.*)");

  /** How far a step is. */
  public enum State {
    BEGIN,
    OK,
    FAILED
  }

  /** All that stand in a text, in its order. */
  public static List<StartupStep> in(String console) {
    List<StartupStep> steps = new ArrayList<>();
    for (String line : console.lines().toList()) {
      Matcher match = LINE.matcher(line);
      if (match.find()) {
        steps.add(
            new StartupStep(
                Instant.ofEpochSecond(Long.parseLong(match.group(1))),
                match.group(2),
                State.valueOf(match.group(3).toUpperCase(Locale.ROOT)),
                match.group(4).trim()));
      }
    }
    return steps;
  }

  /** For people. */
  @Override
  public String toString() {
    return name
        + " "
        + state.name().toLowerCase(Locale.ROOT)
        + (words.isEmpty() ? "" : ": " + words);
  }
}

package ebb.proxy.rule;

import java.util.ArrayList;
import java.util.List;

/** The rules by which a destination gets its class: the first whose pattern holds. Immutable. */
public final class ClassRules {
  private record Rule(HostPattern pattern, DestinationClass destinationClass) {}

  private final List<Rule> rules;

  private ClassRules(List<Rule> rules) {
    this.rules = rules;
  }

  /**
   * Reads rules such as {@code *.example.com=foreground}.
   *
   * @throws IllegalArgumentException with one line
   */
  public static ClassRules parse(List<String> texts) {
    List<Rule> rules = new ArrayList<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("'" + text + "' is not PATTERN=CLASS");
      }
      String pattern = text.substring(0, equals);
      rules.add(
          new Rule(
              HostPattern.parse(pattern),
              DestinationClass.parse(pattern, text.substring(equals + 1))));
    }
    return new ClassRules(List.copyOf(rules));
  }

  /** The class of a destination, background where no rule says otherwise. */
  public DestinationClass of(String host, int port) {
    for (Rule rule : rules) {
      if (rule.pattern.matches(host, port)) {
        return rule.destinationClass;
      }
    }
    return DestinationClass.BACKGROUND;
  }
}

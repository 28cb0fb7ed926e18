package ebb.selfbench.subject;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;

/** The subjects there are: a list, and those that others have put on the class path. */
public final class InstalledSubjects {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private InstalledSubjects() {}

  /**
   * The given ones, then those from elsewhere.
   *
   * @throws EbbException when a name is malformed or stands twice
   */
  public static List<Subject> after(List<Subject> first) {
    List<Subject> all = new ArrayList<>(first);
    ServiceLoader.load(Subject.class).forEach(all::add);
    Set<String> names = new HashSet<>();
    for (Subject one : all) {
      String name = one.name();
      if (!NAME.matcher(name).matches() || !names.add(name)) {
        throw new EbbException(
            ExitCode.INTERNAL,
            one.getClass().getName()
                + ": "
                + (names.contains(name)
                    ? "another subject is named " + name
                    : "a subject's name is lower-case letters, digits and hyphens, not " + name));
      }
    }
    return all;
  }
}

package ebb.storage.port;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a container may be called: the rules of Cloud Storage's buckets, for every store, so that a
 * run that works on one works on all.
 */
public final class ContainerName {
  private static final Pattern CHARACTERS = Pattern.compile("[a-z0-9][a-z0-9._-]*[a-z0-9]");
  private static final Pattern ADDRESS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");
  private static final int MAX_WITH_DOTS = 222;
  private static final int MAX_LABEL = 63;

  private ContainerName() {}

  /** One line about what is wrong with a name; empty when nothing is. */
  public static Optional<String> problem(String name) {
    if (name.length() < 3 || name.length() > (name.indexOf('.') < 0 ? MAX_LABEL : MAX_WITH_DOTS)) {
      return Optional.of("a bucket's name has 3 to 63 characters");
    }
    if (!CHARACTERS.matcher(name).matches()) {
      return Optional.of(
          "a bucket's name has lower-case letters, digits, '-', '_' and '.', and begins and ends"
              + " with a letter or a digit");
    }
    for (String label : name.split("\\.", -1)) {
      if (label.isEmpty() || label.length() > MAX_LABEL) {
        return Optional.of("between dots a bucket's name has 1 to 63 characters");
      }
    }
    if (ADDRESS.matcher(name).matches()) {
      return Optional.of("a bucket's name cannot look like an IP address");
    }
    if (name.startsWith("goog") || name.contains("google")) {
      return Optional.of("a bucket's name cannot begin with 'goog' or contain 'google'");
    }
    return Optional.empty();
  }
}

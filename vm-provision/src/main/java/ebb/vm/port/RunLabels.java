package ebb.vm.port;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose a resource is and until when, written onto every resource, so that what a dead controller
 * left can be found and told from the property of others.
 *
 * @param owner who started the run
 * @param runId the run
 * @param expires after which anybody may remove it; whole seconds
 */
public record RunLabels(String owner, String runId, Instant expires) {
  public static final String OWNER = "ebb-owner";
  public static final String RUN = "ebb-run";
  public static final String EXPIRES = "ebb-expires";

  /** "Label values can only contain lowercase letters, numeric characters, - and _." */
  private static final Pattern VALUE = Pattern.compile("[a-z0-9_-]{1,63}");

  private static final Pattern LINE =
      Pattern.compile(OWNER + "=(\\S+) " + RUN + "=(\\S+) " + EXPIRES + "=(\\d+)(?:;.*)?");

  public RunLabels {
    checked("owner", owner);
    Names.checked("run id", runId);
    expires = Instant.ofEpochSecond(expires.getEpochSecond());
  }

  private static void checked(String what, String value) {
    if (!VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          what + " '" + value + "' has to be 1 to 63 of a-z, 0-9, '-' and '_'");
    }
  }

  public boolean isExpired(Instant now) {
    return !now.isBefore(expires);
  }

  /** For resources that have labels. */
  public Map<String, String> asMap() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(OWNER, owner);
    labels.put(RUN, runId);
    labels.put(EXPIRES, Long.toString(expires.getEpochSecond()));
    return labels;
  }

  /** For resources that have a description only, such as Compute Engine's firewall rules. */
  public String asLine() {
    return OWNER
        + "="
        + owner
        + " "
        + RUN
        + "="
        + runId
        + " "
        + EXPIRES
        + "="
        + expires.getEpochSecond();
  }

  /** Empty when the resource is not Ebb's. */
  public static Optional<RunLabels> of(Map<String, String> labels) {
    return parsed(labels.get(OWNER), labels.get(RUN), labels.get(EXPIRES));
  }

  /** Empty when the resource is not Ebb's. */
  public static Optional<RunLabels> ofLine(String description) {
    Matcher line = LINE.matcher(description);
    return line.matches() ? parsed(line.group(1), line.group(2), line.group(3)) : Optional.empty();
  }

  private static Optional<RunLabels> parsed(
      @Nullable String owner, @Nullable String run, @Nullable String expires) {
    if (owner == null || run == null || expires == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new RunLabels(owner, run, Instant.ofEpochSecond(Long.parseLong(expires))));
    } catch (IllegalArgumentException | DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}

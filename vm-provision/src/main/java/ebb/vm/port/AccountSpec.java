package ebb.vm.port;

import org.jspecify.annotations.Nullable;

/**
 * A service account for the VMs of one run, with no right but to the objects of one bucket.
 *
 * @param email its whole address; the part before the at sign is its id, 6 to 30 characters
 * @param labels whose it is and until when
 * @param bucket without {@code gs://}; null for no right at all
 */
public record AccountSpec(String email, RunLabels labels, @Nullable String bucket) {
  private static final int LEAST = 6;
  private static final int MOST = 30;

  public AccountSpec {
    int at = email.indexOf('@');
    if (at < LEAST || at > MOST) {
      throw new IllegalArgumentException("'" + email + "' is no account of 6 to 30 characters");
    }
  }

  /** What is before the at sign. */
  public String id() {
    return email.substring(0, email.indexOf('@'));
  }

  /**
   * The account of a run, always the same.
   *
   * @param project its own name, which a domain and a colon may stand before
   */
  public static String emailOf(String runId, String project) {
    String number = RequestId.of(runId, "account", "vm", 1).toString().replace("-", "");
    int colon = project.indexOf(':');
    String domain =
        colon < 0 ? project : project.substring(colon + 1) + "." + project.substring(0, colon);
    return "ebb-" + number.substring(0, 20) + "@" + domain + ".iam.gserviceaccount.com";
  }
}

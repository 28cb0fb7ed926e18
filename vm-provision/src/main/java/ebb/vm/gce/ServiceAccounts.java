package ebb.vm.gce;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.gce.GoogleApis.Reply;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.RunLabels;
import ebb.vm.provider.ProviderCall;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Service accounts that runs make for their VMs: each with one role on one bucket, found again by
 * its description, removed with its binding. It owns nothing of accounts that others made.
 */
final class ServiceAccounts {
  /** The least role by which a VM fetches the jar and keeps results, writing them again. */
  private static final String ROLE = "roles/storage.objectUser";

  private static final Pattern BUCKET = Pattern.compile(".*;ebb-bucket=([^;\\s]*)");

  /** Somebody else may change a policy in between. */
  private static final int POLICY_ROUNDS = 8;

  private static final Duration BETWEEN = Duration.ofMillis(500);

  /** IAM "is eventually consistent": an account may be there a moment after it was made. */
  private static final int LOOKS = 60;

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final GoogleApis apis;
  private final String project;

  ServiceAccounts(GoogleApis apis, String project) {
    this.apis = apis;
    this.project = project;
  }

  private static RequestFailedException failed(String what, Reply reply) {
    FailureKind kind =
        switch (reply.status()) {
          case 401, 403 -> FailureKind.NO_PERMISSION;
          case 404 -> FailureKind.NOT_FOUND;
          case 409 -> FailureKind.ALREADY_EXISTS;
          default -> FailureKind.INVALID;
        };
    return new RequestFailedException(kind, what + ": " + reply.message());
  }

  private static String description(AccountSpec spec) {
    return spec.labels().asLine() + (spec.bucket() == null ? "" : ";ebb-bucket=" + spec.bucket());
  }

  private static String path(String email) {
    return "v1/projects/-/serviceAccounts/" + email;
  }

  void create(AccountSpec spec, ProviderCall call) throws RequestFailedException {
    String what = "service account " + spec.email();
    Reply made = apis.ask(call, "iam", "v1/projects/" + project + "/serviceAccounts", body(spec));
    if (made.status() == 409) {
      // An attempt whose answer was lost, or another process of the same run, has made it.
      Reply there = apis.ask(call, "iam", path(spec.email()), null);
      if (!description(spec).equals(there.json().get("description"))) {
        throw failed(what, made);
      }
    } else if (!made.isOk()) {
      throw failed(what, made);
    }
    for (int look = 1; apis.ask(call, "iam", path(spec.email()), null).isMissing(); look++) {
      if (look == LOOKS) {
        throw new RequestFailedException(
            FailureKind.TIMED_OUT, what + " was made and is not there yet");
      }
      call.sleep(BETWEEN_LOOKS);
    }
    if (spec.bucket() != null) {
      change(spec.bucket(), spec.email(), true, call);
    }
  }

  /** What is sent to make it. */
  static Map<String, Object> body(AccountSpec spec) {
    Map<String, Object> account = new LinkedHashMap<>();
    account.put("displayName", "VMs of Ebb's run " + spec.labels().runId());
    account.put("description", description(spec));
    return Map.of("accountId", spec.id(), "serviceAccount", account);
  }

  List<AccountSpec> list(@Nullable String runId, ProviderCall call) throws RequestFailedException {
    List<AccountSpec> found = new ArrayList<>();
    String page = "";
    do {
      Reply reply =
          apis.ask(
              call,
              "iam",
              "v1/projects/"
                  + project
                  + "/serviceAccounts?pageSize=100"
                  + (page.isEmpty()
                      ? ""
                      : "&pageToken=" + URLEncoder.encode(page, StandardCharsets.UTF_8)),
              null);
      if (reply.status() == 0) {
        return List.of(); // Another endpoint that has no accounts.
      }
      if (!reply.isOk()) {
        throw failed("the service accounts of the project", reply);
      }
      for (Object one : reply.list("accounts")) {
        if (one instanceof Map<?, ?> account) {
          ours(account)
              .filter(spec -> runId == null || spec.labels().runId().equals(runId))
              .ifPresent(found::add);
        }
      }
      page = reply.json().get("nextPageToken") instanceof String next ? next : "";
    } while (!page.isEmpty());
    return found;
  }

  private static Optional<AccountSpec> ours(Map<?, ?> account) {
    String description = String.valueOf(account.get("description"));
    String email = String.valueOf(account.get("email"));
    Matcher bucket = BUCKET.matcher(description);
    String named = bucket.matches() ? bucket.group(1) : null;
    return RunLabels.ofLine(description)
        .filter(labels -> email.startsWith("ebb-"))
        .map(labels -> new AccountSpec(email, labels, named));
  }

  /** Its right first: a policy would keep a member that is gone. */
  void delete(AccountSpec spec, ProviderCall call) throws RequestFailedException {
    if (spec.bucket() != null) {
      change(spec.bucket(), spec.email(), false, call);
    }
    Reply gone = apis.send(call, "DELETE", "iam", path(spec.email()), null);
    if (!gone.isOk()) {
      throw failed("service account " + spec.email(), gone);
    }
  }

  /** Lets an account into a bucket, or no longer; nothing else of the policy changes. */
  private void change(String bucket, String email, boolean in, ProviderCall call)
      throws RequestFailedException {
    String path = "storage/v1/b/" + bucket + "/iam";
    for (int round = 1; ; round++) {
      Reply now = apis.ask(call, "storage", path + "?optionsRequestedPolicyVersion=3", null);
      if (now.isMissing() && !in) {
        return; // The bucket is gone, and rights there with it.
      }
      if (!now.isOk()) {
        throw failed("the policy of gs://" + bucket, now);
      }
      Map<String, Object> policy = new LinkedHashMap<>(now.json());
      List<Object> bindings = without(now.list("bindings"), email);
      if (in) {
        bindings.add(Map.of("role", ROLE, "members", List.of("serviceAccount:" + email)));
      } else if (bindings.equals(now.list("bindings"))) {
        return;
      }
      policy.put("bindings", bindings);
      // Its etag is in it, so that what somebody else changes meanwhile is not lost.
      Reply set = apis.send(call, "PUT", "storage", path, policy);
      if (set.isOk()) {
        return;
      }
      // A new account may be unknown there for a moment (400); 412 and 409 are somebody's change.
      boolean again = set.status() == 412 || set.status() == 409 || (in && set.status() == 400);
      if (!again || round == POLICY_ROUNDS) {
        throw failed("the policy of gs://" + bucket, set);
      }
      call.sleep(BETWEEN.multipliedBy(1L << (round - 1)));
    }
  }

  /** All bindings but those of one account; of others' conditions nothing is lost. */
  private static List<Object> without(List<?> bindings, String email) {
    List<Object> kept = new ArrayList<>();
    for (Object one : bindings) {
      if (one instanceof Map<?, ?> binding && binding.get("members") instanceof List<?> members) {
        List<Object> others = new ArrayList<>(members);
        others.removeIf(member -> String.valueOf(member).contains("serviceAccount:" + email));
        if (others.isEmpty()) {
          continue;
        }
        Map<Object, Object> less = new LinkedHashMap<>(binding);
        less.put("members", others);
        kept.add(less);
      } else {
        kept.add(one);
      }
    }
    return kept;
  }
}

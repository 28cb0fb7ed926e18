package ebb.vm.gce;

import ebb.core.attempts.RequestFailedException;
import ebb.vm.gce.GoogleApis.Reply;
import ebb.vm.port.Objection;
import ebb.vm.port.VmSpec;
import ebb.vm.provider.ProviderCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether VMs will be somebody, and may do what they have to: services that are switched on,
 * service accounts, the bucket, and the rights of both sides there.
 */
final class AccountPreflight {
  private static final List<String> SERVICES =
      List.of("compute.googleapis.com", "storage.googleapis.com", "iam.googleapis.com");

  /** What whoever runs a plan does there: ships the jar, reads results, removes all of it. */
  private static final List<String> NEEDED =
      List.of(
          "storage.objects.create",
          "storage.objects.get",
          "storage.objects.list",
          "storage.objects.delete");

  /** What it takes to make an account for a run. */
  private static final List<String> TO_MAKE =
      List.of(
          "iam.serviceAccounts.create", "iam.serviceAccounts.delete", "iam.serviceAccounts.actAs");

  private static final List<String> TO_LET_IN =
      List.of("storage.buckets.getIamPolicy", "storage.buckets.setIamPolicy");

  /** Roles that have all of that. */
  private static final Set<String> ROLES =
      Set.of(
          "roles/storage.objectUser",
          "roles/storage.objectAdmin",
          "roles/storage.admin",
          "roles/editor",
          "roles/owner");

  private final GoogleApis apis;
  private final String project;
  private final List<Objection> found = new ArrayList<>();

  AccountPreflight(GoogleApis apis, ComputeOptions options) {
    this.apis = apis;
    project = options.project();
  }

  List<Objection> objections(
      List<VmSpec> vms, @Nullable String bucket, @Nullable String ownAccount, ProviderCall call)
      throws RequestFailedException {
    for (String service : SERVICES) {
      service(service, call);
    }
    String name =
        bucket != null && bucket.startsWith("gs://") ? bucket.substring("gs://".length()) : "";
    boolean there = !name.isEmpty() && bucket(name, call);
    Set<String> asked = new HashSet<>();
    if (ownAccount != null) {
      asked.add(ownAccount);
      maker(there ? name : "", call);
    }
    for (int i = 0; i < vms.size(); i++) {
      String account = vms.get(i).serviceAccount();
      if (account != null && asked.add(account) && account(i, account, call) && there) {
        rights(i, account, name, call);
      }
    }
    return found;
  }

  /** Whether whoever asks may make an account, let VMs be it, and let it into the bucket. */
  private void maker(String bucket, ProviderCall call) throws RequestFailedException {
    Reply mine =
        apis.ask(
            call,
            "cloudresourcemanager",
            "v1/projects/" + project + ":testIamPermissions",
            Map.of("permissions", TO_MAKE));
    List<String> missing = new ArrayList<>(TO_MAKE);
    missing.removeIf(mine.list("permissions")::contains);
    if (!mine.isOk()) {
      unknown(Objection.ALL, "project", "whether you may make service accounts", mine);
    } else if (!missing.isEmpty()) {
      found.add(
          new Objection(
              Objection.ALL,
              "project",
              true,
              "the run is to have an account of its own, and you may not "
                  + String.join(", ", missing)
                  + ": roles/iam.serviceAccountAdmin and roles/iam.serviceAccountUser have that; or"
                  + " give an account that is there by --service-account"));
    }
    if (bucket.isEmpty()) {
      return;
    }
    Reply there =
        apis.ask(
            call,
            "storage",
            "storage/v1/b/"
                + bucket
                + "/iam/testPermissions?permissions="
                + String.join("&permissions=", TO_LET_IN),
            null);
    missing = new ArrayList<>(TO_LET_IN);
    missing.removeIf(there.list("permissions")::contains);
    if (!there.isOk()) {
      unknown(Objection.ALL, "bucket", "whether you may let an account in there", there);
    } else if (!missing.isEmpty()) {
      found.add(
          new Objection(
              Objection.ALL,
              "bucket",
              true,
              "the run's own account has to be let in, and you may not "
                  + String.join(", ", missing)
                  + " in gs://"
                  + bucket
                  + ": gcloud storage buckets add-iam-policy-binding gs://"
                  + bucket
                  + " --member=user:YOU --role=roles/storage.admin"));
    }
  }

  private void unknown(int vm, String key, String what, Reply reply) {
    found.add(new Objection(vm, key, false, what + " could not be found out: " + reply.message()));
  }

  private void service(String service, ProviderCall call) throws RequestFailedException {
    Reply reply =
        apis.ask(call, "serviceusage", "v1/projects/" + project + "/services/" + service, null);
    if (!reply.isOk()) {
      unknown(Objection.ALL, "project", "whether " + service + " is switched on", reply);
    } else if (!"ENABLED".equals(reply.json().get("state"))) {
      found.add(
          new Objection(
              Objection.ALL,
              "project",
              true,
              service + " is off: gcloud services enable " + service + " --project=" + project));
    }
  }

  /** Whether it is there. */
  private boolean bucket(String name, ProviderCall call) throws RequestFailedException {
    Reply reply = apis.ask(call, "storage", "storage/v1/b/" + name, null);
    if (reply.isMissing()) {
      found.add(
          new Objection(
              Objection.ALL,
              "bucket",
              true,
              "there is no bucket gs://"
                  + name
                  + ": gcloud storage buckets create gs://"
                  + name
                  + " --project="
                  + project
                  + " --uniform-bucket-level-access"));
      return false;
    }
    if (!reply.isOk()) {
      unknown(Objection.ALL, "bucket", "whether gs://" + name + " is there", reply);
      return false;
    }
    foreign(name, reply, call);
    StringBuilder query = new StringBuilder("storage/v1/b/" + name + "/iam/testPermissions");
    for (int i = 0; i < NEEDED.size(); i++) {
      query.append(i == 0 ? '?' : '&').append("permissions=").append(NEEDED.get(i));
    }
    Reply mine = apis.ask(call, "storage", query.toString(), null);
    if (!mine.isOk()) {
      unknown(Objection.ALL, "bucket", "what you may do in gs://" + name, mine);
      return true;
    }
    List<String> missing = new ArrayList<>(NEEDED);
    missing.removeIf(mine.list("permissions")::contains);
    if (!missing.isEmpty()) {
      found.add(
          new Objection(
              Objection.ALL,
              "bucket",
              true,
              "you may not "
                  + String.join(", ", missing)
                  + " in gs://"
                  + name
                  + ": gcloud storage buckets add-iam-policy-binding gs://"
                  + name
                  + " --member=user:YOU --role=roles/storage.objectUser"));
    }
    return true;
  }

  private void foreign(String name, Reply bucket, ProviderCall call) throws RequestFailedException {
    Object number = bucket.json().get("projectNumber");
    Reply own = apis.ask(call, "compute", "compute/v1/projects/" + project + "?fields=id", null);
    Object mine = own.json().get("id");
    if (number != null && own.isOk() && mine != null && !number.equals(mine)) {
      found.add(
          new Objection(
              Objection.ALL,
              "bucket",
              false,
              "gs://"
                  + name
                  + " belongs to project number "
                  + number
                  + ", not to "
                  + project
                  + ": is it the one that is meant?"));
    }
  }

  /** Whether it is there and can be acted as. */
  private boolean account(int vm, String account, ProviderCall call) throws RequestFailedException {
    String path = "v1/projects/-/serviceAccounts/" + account;
    Reply reply = apis.ask(call, "iam", path, null);
    if (reply.isMissing()) {
      String id = account.substring(0, account.indexOf('@'));
      found.add(
          new Objection(
              vm,
              "service-account",
              true,
              "there is no service account "
                  + account
                  + ": gcloud iam service-accounts create "
                  + id
                  + " --project="
                  + project));
      return false;
    }
    if (!reply.isOk()) {
      unknown(vm, "service-account", "whether " + account + " is there", reply);
      return true;
    }
    if (Boolean.TRUE.equals(reply.json().get("disabled"))) {
      found.add(
          new Objection(
              vm,
              "service-account",
              true,
              account + " is disabled: gcloud iam service-accounts enable " + account));
    }
    Reply may =
        apis.ask(
            call,
            "iam",
            path + ":testIamPermissions",
            Map.of("permissions", List.of("iam.serviceAccounts.actAs")));
    if (!may.isOk()) {
      unknown(vm, "service-account", "whether you may use " + account, may);
    } else if (!may.list("permissions").contains("iam.serviceAccounts.actAs")) {
      found.add(
          new Objection(
              vm,
              "service-account",
              true,
              "you may not give VMs the account "
                  + account
                  + ": gcloud iam service-accounts add-iam-policy-binding "
                  + account
                  + " --member=user:YOU --role=roles/iam.serviceAccountUser"));
    }
    return true;
  }

  /** Its rights stand in the bucket's policy, or in the project's. */
  private void rights(int vm, String account, String bucket, ProviderCall call)
      throws RequestFailedException {
    Reply policy = apis.ask(call, "storage", "storage/v1/b/" + bucket + "/iam", null);
    if (policy.isOk() && has(policy, account)) {
      return;
    }
    Reply projects =
        apis.ask(
            call, "cloudresourcemanager", "v1/projects/" + project + ":getIamPolicy", Map.of());
    if (projects.isOk() && has(projects, account)) {
      return;
    }
    if (!policy.isOk()) {
      unknown(vm, "service-account", "what " + account + " may do in gs://" + bucket, policy);
      return;
    }
    found.add(
        new Objection(
            vm,
            "service-account",
            true,
            account
                + " may not fetch the jar from gs://"
                + bucket
                + " nor keep results there: gcloud storage buckets add-iam-policy-binding gs://"
                + bucket
                + " --member=serviceAccount:"
                + account
                + " --role=roles/storage.objectUser"));
  }

  private static boolean has(Reply policy, String account) {
    for (Object one : policy.list("bindings")) {
      if (one instanceof Map<?, ?> binding
          && ROLES.contains(String.valueOf(binding.get("role")))
          && binding.get("members") instanceof List<?> members
          && members.contains("serviceAccount:" + account)) {
        return true;
      }
    }
    return false;
  }
}

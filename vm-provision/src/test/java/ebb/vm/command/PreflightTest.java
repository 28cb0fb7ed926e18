package ebb.vm.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What would go wrong on Google is found before anything is made, with its place and a remedy. */
class PreflightTest {
  private static final String PLAN =
      """
      name = "pre"
      image = "debian-cloud/debian-12"
      max-run = "1h"
      external-address = true
      service-account = "ebb-vm@ebb-demo.iam.gserviceaccount.com"
      bucket = "gs://my-bucket"

      [[vm]]
      name = "a"
      zone = "us-central1-a"
      machine-type = "n2-standard-4"

      [[task]]
      name = "memory"
      run = ["memory", "--json"]
      """;

  @TempDir private Path directory;

  private DemoCompute fake;

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(new TestClock());
  }

  @AfterEach
  void stop() {
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
    assertThat(fake.operationCount()).isZero();
  }

  private Ended check(String plan, String... more) throws Exception {
    Path file = Files.writeString(directory.resolve("plan.toml"), plan);
    return check(file, more);
  }

  private Ended check(Path file, String... more) {
    List<String> words = new ArrayList<>(List.of("vm", "check", file.toString()));
    words.addAll(List.of("--project", DemoCompute.PROJECT, "--endpoint", fake.url()));
    words.addAll(Arrays.asList(more));
    return CommandRunner.run(new VmCheckCommand(), words.toArray(String[]::new));
  }

  private void wrong(String plan, String... words) throws Exception {
    Ended ended = check(plan);
    assertThat(ended.code()).as(ended.err()).isEqualTo(2);
    assertThat(ended.err()).contains(words);
  }

  private static String with(String line) {
    return PLAN.replace("max-run = \"1h\"\n", "max-run = \"1h\"\n" + line + "\n");
  }

  @Test
  void aPlanThatFitsIsSaidToFitWithItsCost() throws Exception {
    Ended ended = check(PLAN);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    // 4 x 0.031611 + 16 x 0.004237 and a disk, for an hour.
    assertThat(ended.out())
        .contains("the service has all of it: 4 vCPUs, at most 4.00 h of vCPUs")
        .contains("at most 0.20 USD by list prices of us-central1 seen 2026-11-23");
    assertThat(check(PLAN, "--max-cost", "0.10").err())
        .contains("it may cost 0.20 USD, more than --max-cost 0.10");
    assertThat(check(PLAN.replace("n2-standard-4", "n2-standard-96"), "--json").out())
        .contains("\"vcpus\"");
  }

  @Test
  void accountsAndTheirRightsAreAskedFor() throws Exception {
    wrong(
        PLAN.replaceAll("service-account = .*\n", ""),
        "plan.toml:7:1: VM a has no 'service-account'",
        "--service-account",
        "gcloud iam service-accounts create");
    fake.answer(":testIamPermissions", "{}");
    wrong(
        PLAN,
        "plan.toml:5:1: you may not give VMs the account",
        "--role=roles/iam.serviceAccountUser");
    fake.answer("my-bucket/iam", "{\"bindings\": []}");
    wrong(PLAN, "plan.toml:5:1: ", "may not fetch the jar from gs://my-bucket", "objectUser");
    fake.refuse(DemoCompute.ACCOUNT, 404, "Unknown service account");
    wrong(PLAN, "plan.toml:5:1: there is no service account", "service-accounts create ebb-vm");
  }

  @Test
  void anAccountOfTheRunsOwnHasToBePossible() throws Exception {
    String own = PLAN.replaceAll("service-account = .*\n", "service-account = \"own\"\n");
    Ended ended = check(own);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    String none = PLAN.replaceAll("service-account = .*\n", "");
    Path file = Files.writeString(directory.resolve("none.toml"), none);
    assertThat(check(file, "--service-account", "own").code()).isZero();
    assertThat(check(file, "--service-account", "me@home").err())
        .contains("is neither 'own' nor such as ebb-vm@my-project.iam.gserviceaccount.com");
    fake.answer(
        DemoCompute.PROJECT + ":testIamPermissions",
        "{\"permissions\": [\"iam.serviceAccounts.actAs\"]}");
    fake.answer("/iam/testPermissions", "{\"permissions\": [\"storage.buckets.getIamPolicy\"]}");
    wrong(
        own,
        "you may not iam.serviceAccounts.create, iam.serviceAccounts.delete",
        "roles/iam.serviceAccountAdmin",
        "may not storage.buckets.setIamPolicy in gs://my-bucket",
        "--role=roles/storage.admin");
    Ended dry =
        CommandRunner.run(
            new VmPlanCommand(),
            "vm",
            "plan",
            file.toString(),
            "--service-account",
            "own",
            "--dry-run",
            "--project",
            "my-project");
    assertThat(dry.out())
        .contains("https://iam.googleapis.com/v1/projects/my-project/serviceAccounts")
        .containsPattern("\"email\" *: *\"ebb-[0-9a-f]{20}@my-project.iam.gserviceaccount.com\"");
  }

  @Test
  void theBucketAndServicesAreAskedFor() throws Exception {
    fake.answer("/iam/testPermissions", "{\"permissions\": [\"storage.objects.get\"]}");
    wrong(PLAN, "the bucket: you may not storage.objects.create, storage.objects.list");
    fake.answer("/b/my-bucket", "{\"name\": \"my-bucket\", \"projectNumber\": \"7\"}");
    assertThat(check(PLAN).err())
        .contains("note: the bucket: gs://my-bucket belongs to project number 7");
    fake.refuse("/b/my-bucket", 404, "The specified bucket does not exist.");
    wrong(PLAN, "the bucket: there is no bucket gs://my-bucket", "buckets create gs://my-bucket");
    fake.answer("storage.googleapis.com", "{\"state\": \"DISABLED\"}");
    wrong(PLAN, "storage.googleapis.com is off: gcloud services enable storage.googleapis.com");
  }

  @Test
  void whatCannotBeFoundOutIsANoteAndNoRefusal() throws Exception {
    fake.refuse("/services/compute.googleapis.com", 403, "Permission denied");
    fake.refuse("/iam/testPermissions", 403, "no");
    Ended ended = check(PLAN);
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.err())
        .contains("note: the project: whether compute.googleapis.com is switched on could not")
        .contains("note: the bucket: what you may do in gs://my-bucket could not be found out: no");
    fake.fail("images.getFromFamily", Fault.refused(403, "forbidden", "Required permission"));
    assertThat(check(PLAN).code()).isZero();
  }

  @Test
  void imagesDisksNetworksAndPlacementHaveToBeThere() throws Exception {
    wrong(
        PLAN.replace("debian-12", "debian-3"),
        "plan.toml:2:1: there is no image family 'debian-3' in project debian-cloud",
        "gcloud compute images list");
    wrong(with("boot-disk = { type = \"pd-wood\" }"), "plan.toml:4:1: there is no disk type");
    wrong(
        with("boot-disk = { type = \"pd-ssd\", size-gb = 9 }"),
        "plan.toml:4:1: a pd-ssd has 10 to 65536 GB, not 9");
    wrong(with("network = \"other\""), "plan.toml:4:1: there is no network 'other'");
    wrong(with("subnetwork = \"inner\""), "plan.toml:4:1: there is no subnetwork 'inner' in us-c");
    wrong(with("placement = \"far\""), "plan.toml:4:1: there is no resource policy 'far' in us-c");
    assertThat(check(with("placement = \"close\"")).code()).isZero();
    fake.network(false, false, false);
    wrong(PLAN, "network 'default' makes no subnetworks by itself: name one with 'subnetwork'");
  }

  @Test
  void withoutAnExternalAddressThereHasToBeAnotherWayOut() throws Exception {
    String inner = PLAN.replace("external-address = true\n", "");
    wrong(inner, "only with Private Google Access", "only through Cloud NAT");
    fake.network(true, true, false);
    Ended nat = check(inner);
    assertThat(nat.err()).contains("Cloud NAT").doesNotContain("Private Google Access");
    fake.network(true, true, true);
    assertThat(check(inner).code()).isZero();
  }

  @Test
  void rulesThatNoSchemaKnowsAreHeldWithTheirSource() throws Exception {
    String four = "disks = [{ type = \"local-ssd\", count = 4 }]";
    String large = PLAN.replace("\"n2-standard-4\"", "\"n2-standard-96\"\n" + four);
    wrong(
        large,
        "plan.toml:12:1: n2-standard-96 takes 16, 24 local SSDs, not 4"
            + " (https://cloud.google.com/compute/docs/disks/local-ssd#choose_number_local_ssds,"
            + " seen 2026-11-23)");
    assertThat(check(large.replace("count = 4", "count = 16")).code()).isZero();
    wrong(with("tier1 = true"), "Tier_1 needs nic = \"gvnic\"", "begins at 30 vCPUs");
    wrong(
        with("min-cpu-platform = \"Intel Skylake\""),
        "plan.toml:4:1: n2 has Intel Cascade Lake, Intel Ice Lake, not 'Intel Skylake'");
    wrong(
        PLAN.replace("n2-standard-4", "e2-small")
            .replace(
                "max-run = \"1h\"",
                "max-run = \"1h\"\nboot-disk = { type = \"hyperdisk-balanced\" }"),
        "e2 takes no hyperdisk-balanced");
    Path file = Files.writeString(directory.resolve("large.toml"), large);
    Ended dry = CommandRunner.run(new VmPlanCommand(), "vm", "plan", file.toString(), "--dry-run");
    assertThat(dry.code()).isEqualTo(2);
    assertThat(dry.lastError()).contains("large.toml:12:1: n2-standard-96 takes 16, 24");
    assertThat(dry.out()).isEmpty();
  }

  /** Quotas apart, which are the test's own. */
  @Test
  void everyShippedPlanPasses() throws Exception {
    Path examples = Path.of("..", "docs", "examples", "vm-plans");
    List<Path> plans;
    try (Stream<Path> files = Files.list(examples)) {
      plans = new ArrayList<>(files.sorted().toList());
    }
    plans.add(examples.resolveSibling("three-regions.toml"));
    assertThat(plans).hasSizeGreaterThan(4);
    for (Path plan : plans) {
      Ended ended =
          check(plan, "--service-account", DemoCompute.ACCOUNT, "--bucket", "gs://my-bucket");
      assertThat(ended.err().lines().filter(line -> !line.contains("there are")))
          .as(plan.toString())
          .allMatch(line -> line.contains("the plan does not fit the service"));
    }
  }
}

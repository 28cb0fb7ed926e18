package ebb.vm.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.cli.EbbCommand;
import ebb.vm.Specs;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import ebb.vm.gce.ComputeEngineProvider;
import ebb.vm.gce.ComputeOptions;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a user runs them, on the fake. */
class VmCommandsTest {
  private static final String PLAN =
      """
      name = "six"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "90m"
      external-address = true

      [[vm]]
      name = "a"
      zone = "us-central1-a"
      count = 6

      [[firewall]]
      name = "bench"
      allow = ["tcp:8080", "udp:8181"]
      from = ["198.51.100.7/32", "run"]
      """;

  @TempDir private Path directory;

  private final TestClock clock = new TestClock();
  private DemoCompute fake;

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(clock);
  }

  @AfterEach
  void stop() {
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
  }

  private Ended run(EbbCommand command, String... words) {
    List<String> all = new ArrayList<>(List.of("vm"));
    all.addAll(List.of(words));
    all.addAll(List.of("--project", DemoCompute.PROJECT, "--endpoint", fake.url()));
    return CommandRunner.run(command, all.toArray(String[]::new));
  }

  private String plan(String right, String changed) throws Exception {
    assertThat(PLAN).contains(right);
    return Files.writeString(directory.resolve("plan.toml"), PLAN.replace(right, changed))
        .toString();
  }

  @Test
  void theRequestsOfADryRunAreThoseThatTheServiceTakes() throws Exception {
    Ended ended = run(new VmPlanCommand(), "plan", plan("", ""), "--dry-run");
    assertThat(ended.code()).isZero();
    assertThat(ended.err()).contains("6 VMs, at most 9.00 h of machines in all");
    assertThat(fake.seen()).isEmpty();
    List<Object> requests = JSON.std.listFrom(ended.out());
    // A rule, one request for six VMs, and a deletion of each.
    assertThat(requests).hasSize(9);
    send(requests.subList(0, 2));
    assertThat(fake.instanceCount()).isEqualTo(6);
    assertThat(fake.firewallCount()).isEqualTo(1);
    clock.sleep(Duration.ofMinutes(1));
    send(requests.subList(2, 9));
    clock.sleep(Duration.ofMinutes(1));
    assertThat(fake.instanceCount() + fake.firewallCount()).isZero();
  }

  private static void send(List<Object> requests) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    for (Object one : requests) {
      Map<?, ?> request = (Map<?, ?>) one;
      Object body = request.get("body");
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(String.valueOf(request.get("url"))))
                  .method(
                      String.valueOf(request.get("method")),
                      body == null
                          ? HttpRequest.BodyPublishers.noBody()
                          : HttpRequest.BodyPublishers.ofString(JSON.std.asString(body)))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.body()).contains("compute#operation");
    }
  }

  private static String value(Object request, String key) {
    for (Object item : (List<?>) at(request, "body", "instanceProperties", "metadata", "items")) {
      if (key.equals(at(item, "key"))) {
        return String.valueOf(at(item, "value"));
      }
    }
    return "";
  }

  private static Object at(Object json, String... keys) {
    Object found = json;
    for (String key : keys) {
      found = ((Map<?, ?>) found).get(key);
    }
    return found;
  }

  @Test
  void aDryRunForTheDemoNeedsNoDemo() throws Exception {
    Ended ended =
        CommandRunner.run(
            new VmPlanCommand(),
            "vm",
            "plan",
            plan("", ""),
            "--dry-run",
            "--endpoint",
            "demo",
            "--state-dir",
            directory.toString());
    assertThat(ended.code()).isZero();
    assertThat(ended.err()).contains("http://127.0.0.1 stands for the demo cloud");
    assertThat(JSON.std.listFrom(ended.out())).hasSize(9);
  }

  @Test
  void anEndpointThatIsNoUrlIsRefused() throws Exception {
    String[] nowhere = {"--project", "p", "--endpoint", "nowhere"};
    for (Ended ended :
        List.of(
            CommandRunner.run(new VmListCommand(), words(List.of("vm", "list"), nowhere)),
            CommandRunner.run(
                new VmPlanCommand(),
                words(List.of("vm", "plan", plan("", ""), "--dry-run"), nowhere)))) {
      assertThat(ended.code()).isEqualTo(2);
      assertThat(ended.err())
          .endsWith(
              "ebb: no endpoint 'nowhere': give 'demo' or a URL such as http://127.0.0.1:4443\n");
    }
  }

  private static String[] words(List<String> first, String... more) {
    return Stream.concat(first.stream(), Stream.of(more)).toArray(String[]::new);
  }

  /** All that a run of the plan makes and deletes, whichever command is asked. */
  @Test
  void aDryRunShowsScriptsAndTheRunsOwnRule() throws Exception {
    String net = "\n[net]\nprotocols = [\"tcp\", \"udp\"]\n\n[[firewall]]\nname = \"bench\"";
    String file = plan("\n[[firewall]]\nname = \"bench\"", net);
    Path jar = Files.writeString(directory.resolve("ebb.jar"), "not really");
    String[] options = {"--dry-run", "--bucket", "gs://my-bucket", "--jar", jar.toString()};
    List<String> words = new ArrayList<>(List.of("plan", file));
    words.addAll(List.of(options));
    Ended planned = run(new VmPlanCommand(), words.toArray(String[]::new));
    assertThat(planned.code()).as(planned.err()).isZero();
    words.set(0, "run");
    Ended run = run(new VmRunCommand(), words.toArray(String[]::new));
    // Only the time at which it would expire is another.
    String expiry = "(ebb-expires\\W+)\\d+";
    assertThat(run.out().replaceAll(expiry, "$1"))
        .isEqualTo(planned.out().replaceAll(expiry, "$1"));
    assertThat(fake.seen()).isEmpty();

    List<Object> requests = JSON.std.listFrom(run.out());
    // Two rules, one request for six VMs, and their deletions.
    assertThat(requests).hasSize(11);
    Object own = requests.get(1);
    assertThat(at(own, "body", "name")).isEqualTo("six-000000-ebb-net");
    assertThat(at(own, "body", "sourceTags")).isEqualTo(List.of("six-000000"));
    assertThat(String.valueOf(at(own, "body", "allowed"))).contains("6817", "6818");
    String script = value(requests.get(2), "startup-script");
    // Of six, each meets one in each of five rounds, and measures in some.
    assertThat(script)
        .startsWith("#!/bin/bash")
        .contains(
            "jar='gs://my-bucket/six-000000/ebb.jar'",
            "results='gs://my-bucket/six-000000/results'",
            "'net' 'matrix'",
            "turn/round-")
        // SHA-256 of "not really", by sha256sum.
        .contains("jar_sha256='c22d26d33c5783cf2bd157ba48eefa471ac49ab7bc71d5e8d5977eedd2c91726'");
    send(requests.subList(0, 3));
    assertThat(fake.instanceCount()).isEqualTo(6);
    assertThat(fake.firewallCount()).isEqualTo(2);
  }

  @Test
  void aDryRunNeedsAPlanThatMeasuresInACloud() throws Exception {
    String file = plan("", "");
    Ended nothing = run(new VmRunCommand(), "run", file, "--dry-run");
    assertThat(nothing.code()).isEqualTo(2);
    assertThat(nothing.lastError()).contains("there is nothing to measure");
    assertThat(run(new VmRunCommand(), "run", "--dry-run", "--resume", "x-1").lastError())
        .contains("--dry-run needs a plan");
    assertThat(run(new VmRunCommand(), "run", file, "--dry-run", "--provider", "local").lastError())
        .contains("--provider local sends none");
  }

  @Test
  void aPlanThatFitsIsSaidToFit() throws Exception {
    Ended ended = run(new VmPlanCommand(), "plan", plan("", ""), "--check");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .contains("the service has all of it: 24 vCPUs, at most 36.00 h of vCPUs");
    assertThat(fake.operationCount()).isZero();
  }

  @Test
  void whatTheServiceDoesNotHaveIsSaidWithItsPlaceBeforeAnythingIsMade() throws Exception {
    Ended zone =
        run(new VmPlanCommand(), "plan", plan("us-central1-a", "mars-north1-a"), "--check");
    assertThat(zone.code()).isEqualTo(2);
    assertThat(zone.err()).contains("plan.toml:9:1: there is no zone 'mars-north1-a'");
    Ended type =
        run(new VmPlanCommand(), "plan", plan("n2-standard-4", "n2-standard-5"), "--check");
    assertThat(type.code()).isEqualTo(2);
    assertThat(type.err())
        .containsOnlyOnce(
            "plan.toml:2:1: there is no machine type 'n2-standard-5' in us-central1-a");
    // Six of 96 are 576, and the region has 192.
    Ended cpus =
        run(new VmPlanCommand(), "plan", plan("n2-standard-4", "n2-standard-96"), "--check");
    assertThat(cpus.err())
        .contains("us-central1: the plan wants 576 N2_CPUS, and of 192 there are 192 left");
    assertThat(fake.operationCount()).isZero();
  }

  @Test
  void whatNeedsNoAskingIsSaidOfAPlanAlone() throws Exception {
    // Machine types that share a core have no number in their names.
    String file =
        plan(
            "machine-type = \"n2-standard-4\"",
            "machine-type = \"e2-small\"\ntier1 = true\nnic = \"gvnic\"");
    Ended shared = run(new VmPlanCommand(), "plan", file);
    assertThat(shared.code()).isEqualTo(2);
    assertThat(shared.lastError())
        .contains("plan.toml:3:1: e2 has no Tier_1 (https://cloud.google.com/", ", seen 20");
    Ended nobody =
        run(
            new VmPlanCommand(),
            "plan",
            plan("[[firewall]]", "[net]\nprotocols = [\"tcp\"]\n[[firewall]]"));
    assertThat(nobody.code()).as(nobody.err()).isZero();
    assertThat(nobody.err()).contains("a run needs 'service-account'");
    assertThat(fake.seen()).isEmpty();
  }

  @Test
  void theWorldNeedsItsOption() throws Exception {
    String open = plan("198.51.100.7/32", "0.0.0.0/0");
    Ended ended = run(new VmPlanCommand(), "plan", open, "--dry-run");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.lastError()).contains("plan.toml:15:1: ").contains("--open-to-the-world");
    assertThat(ended.out()).isEmpty();
    assertThat(run(new VmPlanCommand(), "plan", open, "--open-to-the-world").code()).isZero();
  }

  @Test
  void vmsZonesAndQuotasAreListed() throws Exception {
    ComputeOptions options =
        ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock);
    assertThat(run(new VmListCommand(), "list").out()).contains("there are no VMs of Ebb's");
    try (Provider provider = new ComputeEngineProvider(options)) {
      provider.create(Specs.vm("a"), RequestId.fresh(), ProviderCall.plain(clock));
    }
    Ended list = run(new VmListCommand(), "list", "--run", Specs.RUN);
    assertThat(list.out()).contains("us-central1-a").contains("running").contains("203.0.113.");
    Ended json = run(new VmListCommand(), "list", "--json");
    assertThat(JSON.std.mapFrom(json.out())).isNotEmpty();
    assertThat(json.out()).contains("\"expires\"").contains(Specs.LABELS.expires().toString());
    assertThat(run(new VmZonesCommand(), "zones").out().lines()).hasSize(10);
    assertThat(run(new VmQuotaCommand(), "quota", "us-central1").out())
        .containsPattern("CPUS +4 used of +192");
    assertThat(run(new VmQuotaCommand(), "quota").out()).contains("FIREWALLS");
    Ended nowhere = run(new VmQuotaCommand(), "quota", "mars-north1");
    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.lastError()).contains("Unknown region");
  }

  @Test
  void whatIsTooWideLosesItsMiddleAndJsonHasItWhole() throws Exception {
    String name = "long-" + "x".repeat(50) + "-end";
    leave(name, "run-" + "y".repeat(40), Instant.now().plus(Duration.ofHours(1)));
    leave("short", "r", Instant.now().plus(Duration.ofHours(1)));
    for (Ended ended :
        List.of(
            run(new VmListCommand(), "list"),
            run(new VmFirewallCommand(), "firewall", "list"),
            run(new VmGcCommand(), "gc"))) {
      assertThat(ended.out().lines()).allMatch(line -> line.length() <= 100);
      assertThat(ended.out()).containsPattern("long-x+\\.\\.").contains("short");
      assertThat(ended.err()).contains("--json has them whole");
    }
    // A line for the heads and one for each.
    assertThat(run(new VmListCommand(), "list").out().lines()).hasSize(3);
    assertThat(run(new VmListCommand(), "list", "--json").out()).contains(name);
  }

  @Test
  void aRefusalIsOneLineWithWhatToDo() {
    fake.fail("zones.list", Fault.refused(403, "accessNotConfigured", "The API is disabled."));
    Ended ended = run(new VmZonesCommand(), "zones");
    assertThat(ended.code()).isEqualTo(4);
    assertThat(ended.err().lines()).hasSize(1);
    assertThat(ended.err()).contains("gcloud services enable compute.googleapis.com");
  }

  private void leave(String name, String run, Instant expires) throws Exception {
    ComputeOptions options =
        ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock);
    RunLabels labels = new RunLabels("tester", run, expires);
    try (Provider provider = new ComputeEngineProvider(options)) {
      provider.create(
          Specs.left(Specs.vm(name), labels), RequestId.fresh(), ProviderCall.plain(clock));
      provider.createFirewall(
          Specs.left(Specs.firewall(name), labels), RequestId.fresh(), ProviderCall.plain(clock));
    }
  }

  @Test
  void whatHasExpiredIsRemovedAndWhatHasNotIsLeftAlone() throws Exception {
    leave("old", "run-old", Instant.parse("2020-01-01T00:00:00Z"));
    leave("new", "run-new", Instant.now().plus(Duration.ofHours(1)));
    Ended ended = run(new VmGcCommand(), "gc", "--yes");
    assertThat(ended.code()).isZero();
    assertThat(ended.out())
        .containsPattern(
            "VM old in us-central1-a +run-old +tester +\\S+ ago +0\\.\\d{3} +\\d+\\.\\d\\d\n")
        .containsPattern("firewall rule old +run-old +tester +\\S+ ago +- +-\n")
        .containsPattern("together .* USD since they were to be gone; list prices of us-central1")
        .containsPattern("VM new in .* run-new .* in 59m\\d\\ds .*left alone\n")
        .contains("2 deleted");
    assertThat(fake.instanceCount()).isEqualTo(1);
    assertThat(fake.firewallCount()).isEqualTo(1);
    assertThat(run(new VmGcCommand(), "gc", "--yes", "--run", "run-new").out())
        .contains("2 deleted");
    assertThat(fake.instanceCount() + fake.diskCount() + fake.firewallCount()).isZero();
    assertThat(run(new VmGcCommand(), "gc").out()).contains("nothing is left of any run");
  }

  @Test
  void whatAnotherCleanerHasRemovedInTheMeantimeIsGone() throws Exception {
    leave("old", "run-old", Instant.parse("2020-01-01T00:00:00Z"));
    fake.fail("instances.delete", Fault.refused(404, "notFound", "was not found"));
    fake.fail("firewalls.delete", Fault.refused(404, "notFound", "was not found"));
    assertThat(run(new VmGcCommand(), "gc", "--yes").code()).isZero();
    // As cron does, again and again.
    assertThat(run(new VmGcCommand(), "gc", "--yes").code()).isZero();
    Ended last = run(new VmGcCommand(), "gc", "--yes");
    assertThat(last.code()).isZero();
    assertThat(last.out()).isEqualTo("nothing is left of any run\n");
  }

  @Test
  void whatCannotBeRemovedIsSaidAndTheRestIs() throws Exception {
    leave("old", "run-old", Instant.parse("2020-01-01T00:00:00Z"));
    fake.fail("instances.delete", Fault.refused(403, "forbidden", "Required permission"));
    Ended ended = run(new VmGcCommand(), "gc", "--yes", "--json");
    assertThat(ended.code()).isEqualTo(5);
    assertThat(ended.err()).contains("VM old in us-central1-a: Required permission");
    assertThat(ended.lastError()).contains("1 could not be deleted");
    assertThat(JSON.std.mapFrom(ended.out())).isNotEmpty();
    assertThat(fake.firewallCount()).isZero();
  }

  @Test
  void oneVmIsDescribedWaitedForAndDeleted() throws Exception {
    leave("a", "run-1", Instant.parse("2026-06-01T12:00:00Z"));
    String zone = Specs.ZONE;
    fake.serial(zone, "a", "Debian GNU/Linux 12 ttyS0\nstartup-script: ebb-step 1780000000 jar ok");
    Ended described = run(new VmDescribeCommand(), "describe", "a", "--zone", zone, "--console");
    assertThat(described.out()).contains("running").contains("Debian GNU/Linux 12 ttyS0");
    assertThat(described.out()).contains("start-up: 2026-05-28T20:26:40Z jar ok");
    assertThat(run(new VmWaitCommand(), "wait", "a", "--zone", zone).out())
        .contains("VM a in us-central1-a is running");
    Ended late =
        run(new VmWaitCommand(), "wait", "a", "--zone", zone, "--state", "gone", "--timeout", "0");
    assertThat(late.code()).isEqualTo(5);
    assertThat(run(new VmDeleteCommand(), "delete", "a", "--zone", zone).out())
        .contains("VM a in us-central1-a is gone");
    assertThat(fake.instanceCount()).isZero();
    Ended none = run(new VmDeleteCommand(), "delete", "a", "--zone", zone);
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.lastError()).contains("was not found");
  }

  @Test
  void theExamplesAreWhatTheServiceTakes() throws Exception {
    Path examples = Path.of("..", "docs", "examples", "vm-plans");
    List<Path> plans;
    try (Stream<Path> files = Files.list(examples)) {
      plans = new ArrayList<>(files.toList());
    }
    plans.add(examples.resolveSibling("three-regions.toml"));
    assertThat(plans).hasSizeGreaterThan(4);
    for (Path example : plans) {
      Ended ended = run(new VmPlanCommand(), "plan", example.toString(), "--dry-run");
      assertThat(ended.code()).as(example.toString()).isZero();
      String fits = run(new VmPlanCommand(), "plan", example.toString(), "--check").err();
      // Three machines of 96 and three of 4 are more than the test's region has.
      assertThat(fits.contains("wants 300 N2_CPUS")).isEqualTo(example.endsWith("one-zone.toml"));
    }
  }

  @Test
  void oneVmIsMadeAndReachedThroughARule() throws Exception {
    Ended made =
        run(
            new VmCreateCommand(),
            "create",
            "a",
            "--zone",
            Specs.ZONE,
            "--machine-type",
            "e2-small",
            "--disk",
            "pd-ssd:100");
    assertThat(made.code()).isZero();
    assertThat(made.out()).contains("running").contains("203.0.113.");
    assertThat(fake.diskCount()).isEqualTo(2);
    List<String> rule =
        List.of("firewall", "create", "r", "--allow", "tcp:8080", "--to", "by-hand", "--from");
    Ended world = run(new VmFirewallCommand(), with(rule, "0.0.0.0/0"));
    assertThat(world.code()).isEqualTo(2);
    assertThat(world.lastError()).contains("--open-to-the-world");
    assertThat(run(new VmFirewallCommand(), with(rule, "198.51.100.7/32")).code()).isZero();
    assertThat(run(new VmFirewallCommand(), "firewall", "list").out())
        .containsPattern("RULE +ALLOWS +FROM +TO +ENDS\n")
        .containsPattern("r +tcp:8080 +198.51.100.7/32 +by-hand +in 1h59m\n");
    Ended rules = run(new VmFirewallCommand(), "firewall", "list", "--json");
    assertThat(JSON.std.mapFrom(rules.out())).isNotEmpty();
    assertThat(rules.out()).contains("198.51.100.7/32", "\"expires\"");
    Ended others = run(new VmFirewallCommand(), "firewall", "delete", "default-allow-ssh");
    assertThat(others.code()).isEqualTo(2);
    assertThat(others.lastError()).contains("no firewall rule 'default-allow-ssh' of Ebb's");
    assertThat(run(new VmFirewallCommand(), "firewall", "delete", "r").out()).contains("is gone");
    assertThat(fake.firewallCount()).isZero();
  }

  private static String[] with(List<String> words, String last) {
    List<String> all = new ArrayList<>(words);
    all.add(last);
    return all.toArray(String[]::new);
  }
}

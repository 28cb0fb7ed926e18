package ebb.vm.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.result.ResultRecord;
import ebb.vm.Specs;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.TestClock;
import ebb.vm.gce.ComputeEngineProvider;
import ebb.vm.gce.ComputeOptions;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ebb vm gc} by somebody who has never heard of the run: all that is known of it stands on
 * what it left.
 */
class GcOfAnothersRunTest {
  /** An n2-standard-4 has 4 CPUs and 16 GiB; its disk 20 GB for a month of 730 hours. */
  private static final double DOLLARS_PER_HOUR = 4 * 0.031611 + 16 * 0.004237 + 20 * 0.10 / 730;

  /** Nobody's, and one with a word of Ebb's but no time at which it is to end. */
  private static final String FOREIGN =
      """
      {"name": "%s", "machineType": "zones/us-central1-a/machineTypes/n2-standard-4",
       "labels": {%s},
       "disks": [{"boot": true, "autoDelete": true, "type": "PERSISTENT", "initializeParams":
         {"sourceImage": "projects/debian-cloud/global/images/family/debian-12",
          "diskType": "zones/us-central1-a/diskTypes/pd-ssd", "diskSizeGb": "20"}}],
       "networkInterfaces": [{"network": "global/networks/default"}]}
      """;

  @TempDir private Path directory;
  private final TestClock clock = new TestClock();
  private DemoCompute fake;

  @BeforeEach
  void threePeopleUseTheProject() throws Exception {
    fake = DemoCompute.start(clock);
    leave("alice", Instant.now().minus(Duration.ofHours(10)));
    leave("bob", Instant.now().plus(Duration.ofHours(1)));
    insert("precious", "");
    insert("half", "\"ebb-run\": \"alice-1\", \"ebb-owner\": \"alice\"");
  }

  @AfterEach
  void stop() {
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
  }

  private void leave(String owner, Instant expires) throws Exception {
    RunLabels labels = new RunLabels(owner, owner + "-1", expires);
    ComputeOptions options =
        ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock);
    try (Provider provider = new ComputeEngineProvider(options)) {
      provider.create(
          Specs.left(Specs.vm(owner + "-vm"), labels),
          RequestId.fresh(),
          ProviderCall.plain(clock));
      provider.createFirewall(
          Specs.left(Specs.firewall(owner + "-rule"), labels),
          RequestId.fresh(),
          ProviderCall.plain(clock));
      provider.createAccount(
          new AccountSpec(AccountSpec.emailOf(owner + "-1", DemoCompute.PROJECT), labels, null),
          ProviderCall.plain(clock));
    }
  }

  private void insert(String name, String labels) throws Exception {
    String url =
        fake.url()
            + "compute/v1/projects/"
            + DemoCompute.PROJECT
            + "/zones/us-central1-a/instances";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .POST(HttpRequest.BodyPublishers.ofString(String.format(FOREIGN, name, labels)))
            .build();
    HttpResponse<String> made =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    clock.sleep(Duration.ofMinutes(1));
  }

  /**
   * As cron runs it: nobody is there who could answer, and nothing of any run is on this machine.
   */
  private Ended gc(String... words) {
    List<String> all = new ArrayList<>(List.of("vm", "gc"));
    all.addAll(List.of(words));
    all.addAll(List.of("--project", DemoCompute.PROJECT, "--endpoint", fake.url()));
    all.addAll(List.of("--state-dir", directory.toString()));
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(new byte[0]));
    try {
      return CommandRunner.run(new VmGcCommand(), all.toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  private List<String> instances() {
    return fake.instances().stream().map(one -> String.valueOf(one.get("name"))).sorted().toList();
  }

  @Test
  void itIsFoundByItsLabelsWithItsCostAndOnlyWhatHasExpiredGoes() throws Exception {
    Ended shown = gc();
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.out())
        .containsPattern("VM alice-vm in us-central1-a +alice-1 +alice +10h\\S* ago +0.197 +1.97\n")
        .containsPattern("firewall rule alice-rule +alice-1 +alice ")
        .containsPattern("service account ebb-\\S+ +alice-1 +alice ")
        .containsPattern("VM bob-vm in us-central1-a +bob-1 +bob +in \\S+ .*left alone\n")
        .contains("together 0.197 USD an hour, 1.97 USD since they were to be gone")
        .contains("nothing deleted")
        .doesNotContain("precious", "half");
    assertThat(instances()).containsExactly("alice-vm", "bob-vm", "half", "precious");

    Ended cleaned = gc("--yes", "--json");
    assertThat(cleaned.code()).as(cleaned.err()).isZero();
    ResultRecord record = ResultRecord.fromJson(cleaned.out().strip());
    assertThat(record.rows()).hasSize(3).allMatch(row -> "alice".equals(row.get("owner")));
    Map<String, ?> figures = record.figures();
    assertThat(((Number) figures.get("dollars_per_hour")).doubleValue())
        .isCloseTo(DOLLARS_PER_HOUR, within(1e-4));
    assertThat(((Number) figures.get("deleted")).intValue()).isEqualTo(3);
    assertThat(instances()).containsExactly("bob-vm", "half", "precious");
    assertThat(fake.firewallCount()).isEqualTo(1);

    for (int hour = 0; hour < 2; hour++) {
      Ended again = gc("--yes");
      assertThat(again.code()).as(again.err()).isZero();
      assertThat(again.out()).contains("left alone", "nothing deleted").doesNotContain("alice");
    }
    assertThat(instances()).containsExactly("bob-vm", "half", "precious");
  }
}

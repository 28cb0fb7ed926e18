package ebb.vm.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.vm.command.VmCreateCommand;
import ebb.vm.command.VmDeleteCommand;
import ebb.vm.command.VmDescribeCommand;
import ebb.vm.command.VmGcCommand;
import ebb.vm.command.VmListCommand;
import ebb.vm.port.RunLabels;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cloud of {@code ebb vm demo}: what is asked of its API happens to processes. */
class DemoCloudTest {
  private static final long MOST_SECONDS = 120;
  private static final String ZONE = "us-central1-a";

  private static final String INSTANCE =
      """
      {"name": "talker", "machineType": "zones/us-central1-a/machineTypes/n2-standard-4",
       "disks": [{"boot": true, "autoDelete": true, "type": "PERSISTENT", "initializeParams":
         {"sourceImage": "projects/debian-cloud/global/images/family/debian-12",
          "diskType": "zones/us-central1-a/diskTypes/pd-ssd", "diskSizeGb": "20"}}],
       "networkInterfaces": [{"network": "global/networks/default"}],
       "metadata": {"items": [{"key": "startup-script", "value": "%s"}]}}
      """;

  /** It asks the metadata server who it is, keeps that in the bucket, and stays. */
  private static final String SCRIPT =
      "cd /var/lib/ebb/ && curl -sf -H 'Metadata-Flavor: Google' http://$GCE_METADATA_HOST"
          + "/computeMetadata/v1/instance/name >name; curl -sf -X POST -T name"
          + " $STORAGE_EMULATOR_HOST/upload/storage/v1/b/ebb-demo/o?name=who'\\u0026'uploadType=media;"
          + " apt-get install x || echo $$ I am $(cat name); sleep 600";

  @TempDir private Path directory;

  private Ended run(EbbCommand command, String... words) {
    List<String> all = new ArrayList<>(List.of("vm"));
    all.addAll(List.of(words));
    all.addAll(List.of("--endpoint", "demo", "--state-dir", directory.resolve("s").toString()));
    return CommandRunner.run(command, all.toArray(String[]::new));
  }

  private Ended answering(String answer, EbbCommand command, String... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(command, words);
    } finally {
      System.setIn(before);
    }
  }

  private static HttpResponse<String> ask(String url, String body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String awaitSerial(DemoCloud cloud, String words) throws Exception {
    boolean said =
        cloud.compute().awaitSerial(ZONE, "talker", words, Duration.ofSeconds(MOST_SECONDS));
    String text =
        ask(
                cloud.place().compute()
                    + "compute/v1/projects/ebb-demo/zones/us-central1-a/instances/talker/serialPort",
                "")
            .body();
    assertThat(said).as(text).isTrue();
    return text;
  }

  @Test
  void aVmIsItsStartUpScriptAndIsGoneWhenItIsDeleted() throws Exception {
    Path files = directory.resolve("cloud");
    try (DemoCloud cloud = DemoCloud.start(files)) {
      HttpResponse<String> made =
          ask(
              cloud.place().compute() + "compute/v1/projects/ebb-demo/zones/" + ZONE + "/instances",
              String.format(INSTANCE, SCRIPT));
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      String said = awaitSerial(cloud, "I am talker");
      assertThat(said).contains("a demo machine installs nothing");
      String pid = said.replaceAll("(?s).*?(\\d+) I am talker.*", "$1");
      assertThat(ProcessHandle.of(Long.parseLong(pid))).isPresent();
      String kept = cloud.place().storage() + "/storage/v1/b/ebb-demo/o/who?alt=media";
      assertThat(ask(kept, "").body()).isEqualTo("talker");

      Ended described =
          run(new VmDescribeCommand(), "describe", "talker", "--zone", ZONE, "--console");
      assertThat(described.code()).as(described.err()).isZero();
      assertThat(described.out()).contains("127.99.0.2");
      Ended deleted = run(new VmDeleteCommand(), "delete", "talker", "--zone", ZONE, "--not-ebbs");
      assertThat(deleted.code()).as(deleted.err()).isZero();
      awaitEnd(Long.parseLong(pid));
      assertThat(cloud.compute().diskCount()).isZero();
      assertThat(cloud.compute().ownMistakes()).isEmpty();
    }
    assertThat(files).doesNotExist();
  }

  private static void awaitEnd(long pid) throws Exception {
    var process = ProcessHandle.of(pid);
    if (process.isPresent()) {
      process.get().onExit().get(MOST_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void theCommandsAreThemselvesThere() throws Exception {
    try (DemoCloud cloud = DemoCloud.start(directory.resolve("cloud"))) {
      cloud.leaveSomething();
      cloud.leave("photos/cat.jpg", Map.of());
      RunLabels fresh = new RunLabels("me", "fresh-1", Instant.now().plus(Duration.ofHours(1)));
      cloud.leave("fresh-1/ebb.jar", fresh.asMap());
      Ended made =
          run(new VmCreateCommand(), "create", "one", "--zone", ZONE, "--machine-type", "e2-small");
      assertThat(made.code()).as(made.err()).isZero();
      Ended listed = run(new VmListCommand(), "list");
      assertThat(listed.out()).contains("one ", "nightly-7c21-a ");
      String bucket = "gs://" + DemoCloud.BUCKET;
      Ended asked = answering("no\n", new VmGcCommand(), "gc", "--bucket", bucket);
      assertThat(asked.err()).contains("delete these 4? [y/N]");
      assertThat(asked.out()).contains("nothing deleted");
      Ended cleaned = run(new VmGcCommand(), "gc", "--bucket", bucket, "--yes", "--json");
      assertThat(cleaned.code()).as(cleaned.err()).isZero();
      assertThat(cleaned.err())
          .contains("disk nightly-7c21-data", "4 deleted")
          .containsPattern(
              "2 objects \\(30.0 MB\\) in gs://ebb-demo +nightly-7c21 +somebody +\\S+ ago +<0.001")
          .containsPattern("1 object .* fresh-1 +me +in \\S+ .*left alone\n");
      assertThat(ResultRecord.fromJson(cleaned.out().strip()).rows())
          .hasSize(4)
          .anyMatch(row -> String.valueOf(row.get("what")).contains("VM nightly-7c21-a"));
      String left = ask(cloud.place().storage() + "/storage/v1/b/ebb-demo/o", "").body();
      assertThat(left).contains("photos/cat.jpg", "fresh-1/ebb.jar").doesNotContain("nightly");
      assertThat(run(new VmListCommand(), "list").out()).contains("one ").doesNotContain("nightly");
      assertThat(cloud.compute().ownMistakes()).isEmpty();
    }
  }

  @Test
  void withoutOneThatIsServedTheCommandsSayWhatToDo() {
    Ended listed = run(new VmListCommand(), "list");
    assertThat(listed.code()).isEqualTo(ExitCode.CANNOT_CONNECT.value());
    assertThat(listed.lastError()).contains("ebb vm demo --serve");
  }

  @Test
  void aPlaceIsFoundAsLongAsItsProcessIsThere() throws Exception {
    DemoPlace mine = new DemoPlace("http://x/", "http://y", ProcessHandle.current().pid());
    mine.announce(directory);
    assertThat(DemoPlace.find(directory)).contains(mine);
    new DemoPlace("http://x/", "http://y", Integer.MAX_VALUE).announce(directory);
    assertThat(DemoPlace.find(directory)).isEmpty();
    Files.writeString(directory.resolve("demo.json"), "{\"compute\": 1}");
    assertThat(DemoPlace.find(directory)).isEmpty();
    mine.withdraw(directory);
    assertThat(directory).isEmptyDirectory();
  }
}

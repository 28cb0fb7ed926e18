package ebb.vm.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plan says of measurements and links, and where it is wrong. */
class PlanPartsTest {
  private static final String GOOD =
      """
      name = "parts"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "2h"
      external-address = true
      bucket = "gs://my-bucket"

      [[vm]]
      name = "us"
      zone = "us-central1-a"
      count = 2

      [[vm]]
      name = "eu"
      zone = "europe-west1-b"

      [net]
      protocols = ["tcp", "udp"]
      time = "3s"
      udp-rate = "20M"
      address = "external"
      port = 7000
      round-trips = 5
      repeat = 6

      [[task]]
      name = "memory"
      run = ["memory", "--json"]
      on = ["us-1", "eu"]
      seconds = 60

      [[link]]
      between = ["us-central1-a", "europe-west1-b"]
      rate = "100M"
      delay = "50ms"
      buffer = "20ms"
      loss = 0.001
      """;

  private static Plan read(String text) {
    return PlanFile.parse(Path.of("plan.toml"), text);
  }

  /** Changes the plan and expects an error where {@code pointer} stands in the changed text. */
  private static void wrong(String right, String changed, String pointer, String words) {
    assertThat(GOOD).containsOnlyOnce(right);
    String text = GOOD.replace(right, changed);
    int at = text.lastIndexOf(pointer);
    assertThat(at).isNotNegative();
    int line = (int) text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    int column = at - text.lastIndexOf('\n', at - 1);
    assertThatThrownBy(() -> read(text))
        .isInstanceOfSatisfying(
            EbbException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageStartingWith("plan.toml:" + line + ":" + column + ": ")
        .hasMessageContaining(words);
  }

  @Test
  void measurementsTasksAndLinksAreRead() {
    Plan plan = read(GOOD);
    assertThat(plan.bucket()).isEqualTo("gs://my-bucket");
    assertThat(plan.net())
        .isEqualTo(
            new NetPart(
                List.of("tcp", "udp"),
                new Micros(3_000_000),
                List.of(new BitRate(20_000_000)),
                List.of("external"),
                7_000,
                5,
                6));
    assertThat(plan.tasks())
        .containsExactly(
            new PlannedTask(
                "memory", List.of("memory", "--json"), List.of("us-1", "eu"), 60, false));
    assertThat(plan.links())
        .containsExactly(
            new PlannedLink(
                "us-central1-a",
                "europe-west1-b",
                new BitRate(100_000_000),
                new Micros(50_000),
                new Micros(20_000),
                0.001));
    NetPart all =
        read(GOOD.replace("\"20M\"", "\"20M,150M\"").replace("\"external\"", "\"both\"")).net();
    assertThat(all).isNotNull();
    assertThat(all.udpRates()).containsExactly(new BitRate(20_000_000), new BitRate(150_000_000));
    assertThat(all.addresses()).containsExactly("internal", "external");
    // Whoever says less gets all VMs, ten minutes, ten seconds each and internal addresses.
    Plan brief =
        read(GOOD.replaceAll("(?m)^(on|seconds|time|address|port|round-trips|repeat) = .*\n", ""));
    assertThat(brief.tasks().get(0).on()).containsExactly("us-1", "us-2", "eu");
    assertThat(brief.tasks().get(0).seconds()).isEqualTo(600);
    assertThat(brief.net())
        .isEqualTo(
            new NetPart(
                List.of("tcp", "udp"),
                new Micros(10_000_000),
                List.of(new BitRate(20_000_000)),
                List.of("internal"),
                6_817,
                10,
                1));
  }

  @Test
  void vmsHaveNothingForGrpc() {
    for (String words : List.of("\"--variant\", \"grpc\"", "\"--variant=grpc\"")) {
      String run = "run = [\"storage\", \"run\", " + words + ", \"--json\"]";
      wrong("run = [\"memory\", \"--json\"]", run, run, "VMs fetch ebb.jar alone");
    }
  }

  @Test
  void unknownKeysAreRefusedWhereTheyStand() {
    wrong("time =", "tiem =", "tiem", "'net' has an unknown key 'tiem'");
    wrong("seconds =", "second =", "second", "[[task]] has an unknown key 'second'");
    wrong("delay =", "dealy =", "dealy", "[[link]] has an unknown key 'dealy'");
    wrong("[net]", "[ent]", "[ent]", "unknown key 'ent'");
  }

  @Test
  void wrongTypesAreRefusedWhereTheyStand() {
    wrong("[\"tcp\", \"udp\"]", "\"tcp\"", "protocols", "'protocols' has to be a list of texts");
    wrong("\"tcp\", \"udp\"", "\"tcp\", 17", "17", "'protocols' has to be a list of texts");
    wrong("time = \"3s\"", "time = 3", "time = 3", "'time' has to be a text in quotes");
    wrong("port = 7000", "port = \"7000\"", "port =", "'port' has to be a whole number");
    wrong("[\"memory\", \"--json\"]", "\"memory\"", "run =", "'run' has to be a list of texts");
    wrong("seconds = 60", "seconds = 6.5", "seconds", "'seconds' has to be a whole number");
    wrong("on = [\"us-1\", \"eu\"]", "on = \"eu\"", "on =", "'on' has to be a list of texts");
    wrong("rate = \"100M\"", "rate = 100", "rate = 100", "'rate' has to be a text in quotes");
    wrong("loss = 0.001", "loss = \"1%\"", "loss", "'loss' has to be a number");
    wrong("[[task]]", "[task]", "[task]", "'task' has to be a list of tables");
    wrong("[net]", "[[net]]", "[[net]]", "'net' has to be a table");
    wrong("\"gs://my-bucket\"", "\"my-bucket\"", "bucket = ", "is not such as \"gs://my-bucket\"");
  }

  @Test
  void valuesThatCannotBeAreRefusedWhereTheyStand() {
    wrong(
        "\"tcp\", \"udp\"", "\"tcp\", \"sctp\"", "protocols", "'sctp' is none of tcp, udp, ledbat");
    wrong("\"tcp\", \"udp\"", "", "protocols", "[net] needs 'protocols'");
    wrong("\"3s\"", "\"2h\"", "time =", "'time' has to be up to 1h");
    wrong("\"3s\"", "\"3 parsecs\"", "time =", "'time': ");
    wrong("\"20M\"", "\"20 fast\"", "udp-rate", "'udp-rate': ");
    wrong("\"external\"", "\"public\"", "address", "is \"internal\", \"external\" or \"both\"");
    wrong("port = 7000", "port = 80", "port = 80", "'port' has to be 1024 to 65534, not 80");
    wrong("round-trips = 5", "round-trips = -1", "round-trips", "has to be 0 to 1000, not -1");
    wrong("repeat = 6", "repeat = 0", "repeat", "has to be 1 to 100, not 0");
    wrong("\"memory\"\n", "\"Memory\"\n", "name = \"M", "begin with a letter");
    wrong("\"memory\"\n", "\"net-x\"\n", "name = \"net-x", "neither 'net' nor 'net-...'");
    wrong("\"memory\"\n", "\"net\"\n", "name = \"net", "neither 'net' nor 'net-...'");
    wrong("[\"memory\", \"--json\"]", "[]", "run = []", "[[task]] needs 'run'");
    wrong("seconds = 60", "seconds = 0", "seconds", "has to be 1 to 86400, not 0");
    wrong("\"100M\"", "\"quick\"", "rate = \"quick", "'rate': ");
    wrong("\"50ms\"", "\"far\"", "delay", "'delay': ");
    wrong("0.001", "1.0", "loss", "at least 0 and less than 1, not 1.0");
  }

  @Test
  void whatIsNotThereIsRefusedWhereItIsNamed() {
    wrong("\"us-1\", \"eu\"", "\"us-3\"", "on =", "no VM 'us-3'; it has us-1, us-2, eu");
    wrong(
        "[\"us-central1-a\", \"europe-west1-b\"]",
        "[\"us-central1-a\", \"asia-east1-a\"]",
        "between",
        "no VM is in 'asia-east1-a'; there are VMs in us-central1-a, europe-west1-b");
    wrong(
        "[\"us-central1-a\", \"europe-west1-b\"]",
        "[\"us-central1-a\"]",
        "between",
        "'between' has to be two zones");
    wrong("name = \"memory\"\n", "", "[[task]]", "[[task]] has no 'name'");
    wrong(
        "zone = \"europe-west1-b\"\n",
        "zone = \"europe-west1-b\"\nexternal-address = false\n",
        "address = \"external\"",
        "eu has no external address");
    String task = "run = [\"net\", \"client\", \"{eu.external}\"]";
    assertThat(read(GOOD.replaceAll("(?m)^run = .*", task)).tasks().get(0).reaches("external"))
        .isTrue();
    assertThatThrownBy(
            () ->
                read(
                    GOOD.replaceAll("(?m)^run = .*", task)
                        .replace("\"external\"", "\"internal\"")
                        .replace("external-address = true", "external-address = false")))
        .hasMessageContaining("has no external address");
  }

  @Test
  void whatComesTwiceIsRefusedWhereItComesAgain() {
    wrong(
        "[[link]]",
        "[[task]]\nname = \"memory\"\nrun = [\"disk\"]\n\n[[link]]",
        "name = \"memory\"",
        "there is a task 'memory' already");
    wrong(
        "loss = 0.001\n",
        "loss = 0.001\n\n[[link]]\nbetween = [\"europe-west1-b\", \"us-central1-a\"]\n",
        "between",
        "there is a link between these two already");
    String one =
        """
        name = "one"
        machine-type = "n2-standard-4"
        image = "debian-cloud/debian-12"
        max-run = "2h"
        [[vm]]
        name = "us"
        zone = "us-central1-a"
        [net]
        protocols = ["tcp"]
        """;
    assertThatThrownBy(() -> read(one))
        .hasMessage("plan.toml:9:1: [net] measures between VMs, and the plan has one");
  }

  private static final String TOGETHER =
      """
      name = "many"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "2h"
      [[vm]]
      name = "a"
      zone = "us-central1-a"
      [[vm]]
      name = "b"
      zone = "us-central1-b"
      [[task]]
      name = "all"
      together = true
      run = ["storage", "run", "--target", "gs://", "--json"]
      """;

  private static void notTogether(String what, String instead, String message) {
    assertThat(TOGETHER).contains(what);
    assertThatThrownBy(() -> read(TOGETHER.replace(what, instead)))
        .as(instead)
        .hasMessageContaining(message)
        .hasMessageMatching("plan.toml:1[0-9]:1: .*");
  }

  @Test
  void vmsMeasureTogetherWhatTheyCanShareAndBeginAtOneTime() {
    assertThat(read(TOGETHER).tasks().get(0).together()).isTrue();
    assertThat(read(TOGETHER).onDemoStores().tasks().get(0).words())
        .endsWith("--endpoint", "demo", "--demo-listen", "{a.internal}");
    assertThat(read(TOGETHER).small().tasks().get(0).together()).isTrue();
    notTogether(
        "\"storage\", \"run\", \"--target\", \"gs://\"", "\"disk\"", "[\"storage\", \"run\"");
    notTogether("together = true", "together = true\non = [\"a\"]", "and this task has one");
    for (String option : List.of("--clients", "--ssh", "--interval", "--schedule", "--key-file")) {
      notTogether("\"--json\"", "\"" + option + "=x\"", option + "=x does not go with 'together'");
    }
    notTogether("\"--json\"", "\"--warm-up\", \"auto\"", "--warm-up auto does not go");
    notTogether("gs://", "mem:", "'mem:' of its own");
    notTogether("gs://", "file:{dir}", "'file:{dir}' is another place on each VM");
    notTogether(
        "[[vm]]\nname = \"b\"",
        "[[vm]]\nnetwork = \"n\"\nname = \"b\"",
        "several networks: default, n");
  }
}

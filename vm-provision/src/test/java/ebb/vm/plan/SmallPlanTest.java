package ebb.vm.plan;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.units.BitRate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallPlanTest {
  private static final String VMS =
      """
      name = "p"
      image = "debian-cloud/debian-12"
      machine-type = "e2-small"
      max-run = "1h"
      [[vm]]
      name = "a"
      zone = "us-central1-a"
      [[vm]]
      name = "b"
      zone = "us-central1-a"
      """;

  private static List<String> small(String words) {
    return plan("[[task]]\nname = \"t\"\nrun = [" + words + "]\n").small().tasks().get(0).words();
  }

  private static Plan plan(String more) {
    return PlanFile.parse(Path.of("plan.toml"), VMS + more);
  }

  @Test
  void valuesAreReplacedHoweverTheOptionsAreWritten() {
    assertThat(small("'disk', '{dir}', '--size=1Gi', '--block', '4Ki', '--time', '10s', '--json'"))
        .containsExactly(
            "disk",
            "{dir}",
            "--size=4Mi",
            "--block",
            "4Ki",
            "--time",
            "100ms",
            "--json",
            "--warm-up",
            "20ms",
            "--rounds",
            "1");
    assertThat(small("'memory', '--size', '64Mi'"))
        .containsSequence("--size", "8Mi")
        .containsSequence("--stream-size", "1Mi");
  }

  @Test
  void transfersOfAnAmountStayThat() {
    assertThat(small("'net', 'client', '{b.internal}', '-n', '1Gi', '--repeat', '5'"))
        .containsExactly("net", "client", "{b.internal}", "-n", "1Mi", "--repeat", "1");
    assertThat(small("'net', 'client', '{b.internal}', '-P', '10', '-t', '30'"))
        .containsExactly("net", "client", "{b.internal}", "-P", "10", "-t", "0.5");
    assertThat(small("'net', 'client', '{b.internal}'")).endsWith("-t", "0.5");
    assertThat(small("'net', 'sweep', '{b.internal}', '--preset', 'amounts'"))
        .containsSequence("-n", "1Mi,2Mi,4Mi");
  }

  @Test
  void newcomersComeSoonAndOthersCommandsStayAsTheyAre() {
    assertThat(small("'storage', 'run', '--target', 'gs://', '--preset', 'transfers'"))
        .containsSequence("--interval", "100ms")
        .containsSequence("--size", "256Ki");
    assertThat(small("'storage', 'run', '--preset', 'blocks'")).doesNotContain("--interval");
    assertThat(small("'machine', '--json'")).containsExactly("machine", "--json");
  }

  @Test
  void pathsAreMeasuredBrieflyAtTheLeastAndTheLargestRate() {
    Plan plan =
        plan(
            """
            [net]
            protocols = ["tcp", "udp"]
            udp-rate = "10M,20M,150M"
            time = "30s"
            repeat = 6
            """);
    assertThat(plan.net()).isNotNull();
    NetPart net = plan.small().net();
    assertThat(net).isNotNull();
    assertThat(net.time().micros()).isEqualTo(500_000);
    assertThat(net.udpRates()).containsExactly(BitRate.parse("10M"), BitRate.parse("150M"));
    assertThat(net.roundTrips()).isEqualTo(3);
    assertThat(net.repeat()).isEqualTo(1);
    assertThat(plan.small().vms()).isEqualTo(plan.vms());
  }

  @Test
  void bucketsAreReplacedByDemoStoresAndNothingElse() {
    Plan plan =
        plan(
            """
            [[task]]
            name = "bucket"
            run = ["storage", "run", "--target", "gs://", "--json"]
            [[task]]
            name = "elsewhere"
            run = ["storage", "run", "--target", "gs://b", "--endpoint", "http://127.0.0.1:1"]
            [[task]]
            name = "files"
            run = ["storage", "run", "--target", "file:{dir}"]
            """);
    assertThat(plan.measuresBuckets()).isTrue();
    List<PlannedTask> tasks = plan.onDemoStores().tasks();
    assertThat(tasks.get(0).words()).endsWith("--json", "--endpoint", "demo");
    assertThat(tasks.subList(1, 3)).isEqualTo(plan.tasks().subList(1, 3));
    assertThat(plan.onDemoStores().measuresBuckets()).isFalse();
  }
}

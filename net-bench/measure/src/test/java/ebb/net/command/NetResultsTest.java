package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.CommandRunner;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.net.echo.EchoCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb net compare}, {@code report} and {@code doctor}, and the published schema. */
class NetResultsTest {
  private CommandRunner.Ended last = new CommandRunner.Ended(0, "", "");

  @TempDir Path dir;

  private int ebb(String... args) {
    List<String> words = new ArrayList<>(List.of("net"));
    words.addAll(Arrays.asList(args));
    List<EbbCommand> commands =
        List.of(
            new NetCompareCommand(),
            new NetReportCommand(),
            new NetDoctorCommand(),
            new NetSweepCommand());
    last = CommandRunner.run(commands, words.toArray(String[]::new));
    return last.code();
  }

  private String out() {
    return last.out();
  }

  private String err() {
    return last.err();
  }

  /** Runs with these rates in Mbit/s. */
  private String result(String name, double... megabits) throws Exception {
    ResultRecord.Builder result = ResultRecord.of("net client");
    result.fact("protocol", "tcp").fact("mode", "streaming").fact("server", "<b>here</b>");
    for (double rate : megabits) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("transmission_micros", 1_000_000L);
      row.put("received_rate_bits_per_second", rate * 1e6);
      result.row(row);
    }
    Path file = dir.resolve(name);
    Files.writeString(file, result.build(true, 0).toJson());
    return file.toString();
  }

  @Test
  void aDifferenceIsClaimedOnlyWhereTheRunsShowOne() throws Exception {
    String slow = result("slow.json", 100, 101, 99, 100, 102, 98, 100);
    String fast = result("fast.json", 120, 121, 119, 120, 122, 118, 120);
    String like = result("like.json", 101, 100, 99, 102, 98, 100, 100);
    assertThat(ebb("compare", slow, fast)).as(err()).isZero();
    assertThat(out()).contains("received_rate_bits_per_second: faster by 20.0% [");
    assertThat(ebb("compare", fast, slow)).as(err()).isZero();
    // 100 is a sixth less than 120.
    assertThat(out()).contains("received_rate_bits_per_second: slower by 16.7% [");
    assertThat(ebb("compare", slow, like)).as(err()).isZero();
    assertThat(out()).contains("received_rate_bits_per_second: not distinguishable");
    assertThat(ebb("compare", slow, result("few.json", 200, 201))).as(err()).isZero();
    assertThat(out()).contains("too few runs to tell, at least 6");
  }

  @Test
  void whatIsNoResultIsOneLine() throws Exception {
    String good = result("good.json", 1, 2, 3);
    Path junk = Files.writeString(dir.resolve("junk.json"), "{]");
    assertThat(ebb("compare", good, junk.toString())).isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("junk.json");
    assertThat(ebb("compare", good, dir.resolve("none").toString()))
        .isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("cannot read");
    assertThat(ebb("compare", result("a.json"), result("b.json")))
        .isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("nothing to compare");
  }

  @Test
  void aReportIsOnePageThatAsksForNothing() throws Exception {
    Path page = dir.resolve("page.html");
    String a = result("a.json", 100, 101);
    assertThat(ebb("report", a, result("b.json", 7), "-o", page.toString())).as(err()).isZero();
    assertThat(Files.readString(page))
        .contains("&lt;b&gt;here", ">100<", ">7.00<", "<small>Mbit/s</small>")
        .contains("default-src 'none'")
        .doesNotContain("<b>here");
  }

  @Test
  void whatCannotBeReadIsNamedOnThePageOfTheOthers() throws Exception {
    Path page = dir.resolve("page.html");
    String good = result("good.json", 100, 101);
    Path other =
        Files.writeString(
            dir.resolve("<i>.json"),
            Files.readString(Path.of(good)).replace("result/1", "result/2"));
    Path cut = Files.writeString(dir.resolve("cut.json"), "{\"schema\":");
    assertThat(ebb("report", good, "" + other, "" + cut, "-o", "" + page))
        .isEqualTo(ExitCode.INCOMPLETE.value());
    assertThat(err()).hasLineCount(2).contains("but of another", "this is no JSON object");
    assertThat(Files.readString(page))
        .contains("Not on this page: ", "&lt;i&gt;.json", "cut.json", "<h1>Ebb: TCP streaming to")
        .doesNotContain("<i>.json");
    assertThat(ebb("report", "" + cut, "-o", "" + page)).isEqualTo(ExitCode.USAGE.value());
  }

  @Test
  void theDoctorWarnsOfWhatItFinds() throws Exception {
    Files.createDirectories(dir.resolve("proc/sys/net/core"));
    Files.createDirectories(dir.resolve("sys/devices/system/clocksource/clocksource0"));
    Files.createDirectories(dir.resolve("sys/class/net/eth0"));
    Files.writeString(dir.resolve("proc/sys/net/core/rmem_max"), "212992\n");
    Files.writeString(dir.resolve("proc/sys/net/core/wmem_max"), "4194304\n");
    Files.writeString(
        dir.resolve("sys/devices/system/clocksource/clocksource0/current_clocksource"), "hpet\n");
    Files.writeString(dir.resolve("sys/class/net/eth0/mtu"), "1460\n");
    Path governor = dir.resolve("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    Files.createDirectories(governor.getParent());
    Files.writeString(governor, "powersave\n");
    Files.writeString(dir.resolve("proc/loadavg"), "3.50 1.0 1.0 1/2 3\n");
    // User, nice, system, idle, iowait, irq, softirq, steal: 5 of 100 stolen.
    Files.writeString(
        dir.resolve("proc/stat"),
        "cpu  10 0 5 80 0 0 0 5 0 0\ncpu0 5 0 2 40 0 0 0 3 0 0\ncpu1 5 0 3 40 0 0 0 2 0 0\n");
    NetDoctor doctor = NetDoctor.of(dir);
    assertThat(doctor.facts())
        .containsEntry("mtu_eth0", "1460")
        .containsEntry("load", "3.50 on 2 CPUs")
        .containsEntry("steal", "5.00% since boot");
    assertThat(doctor.devices()).containsExactly("eth0");
    assertThat(doctor.facts()).containsEntry("cpu_governor", "powersave");
    assertThat(doctor.warnings()).hasSize(5);
    assertThat(String.join("\n", doctor.warnings()))
        .contains(
            "rmem_max is 212992",
            "hpet",
            "3.50 on 2 CPUs",
            "5.0% of the CPU time",
            "governor is powersave");
    NetDoctor nowhere = NetDoctor.of(dir.resolve("nowhere"));
    assertThat(nowhere.warnings()).isEmpty();
    assertThat(nowhere.facts())
        .containsEntry("cpu_governor", "unknown, such as in a virtual machine");
    int code = ebb("doctor", "-J");
    ResultRecord record = ResultRecord.fromJson(out().strip());
    assertThat(record.command()).isEqualTo("net doctor");
    assertThat(code).isEqualTo(record.warnings().isEmpty() ? 0 : 99).isEqualTo(record.exitCode());
  }

  @Test
  void theDoctorReadsQueueDisciplinesAndOffloads() {
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    DevicesDoctor.qdiscs(
        "qdisc noqueue 0: dev lo root refcnt 2 \n"
            + "qdisc mq 0: dev eth0 root \n"
            + "qdisc fq_codel 0: dev eth0 parent :1 limit 10240p\n"
            + "qdisc netem 8001: dev eth1 root refcnt 2 limit 1000 delay 10ms\nnonsense\n",
        facts,
        warnings);
    assertThat(facts)
        .containsEntry("qdisc_lo", "noqueue")
        .containsEntry("qdisc_eth0", "mq, fq_codel");
    assertThat(warnings)
        .containsExactly(
            "the queue discipline of eth1 is netem, which delays or loses packets on this machine");
    warnings.clear();
    DevicesDoctor.offloads(
        "eth0",
        "Features for eth0:\ngeneric-segmentation-offload: on\n"
            + "generic-receive-offload: off\nlarge-receive-offload: off [fixed]\n",
        facts,
        warnings);
    assertThat(facts).containsEntry("offloads_eth0", "off: generic-receive-offload");
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aPathThatSwallowsLargePacketsIsNamed() {
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    EchoCounts all = new EchoCounts(20, 20, 0, 0, 0, 0, 0);
    EchoCounts none = new EchoCounts(20, 0, 20, 0, 0, 0, 0);
    PathDoctor.judge(1_500, all, all, facts, warnings);
    assertThat(warnings).isEmpty();
    assertThat(facts).containsEntry("path_packets_of_1500_bytes", "20 of 20 answered");
    PathDoctor.judge(1_500, all, none, facts, warnings);
    PathDoctor.judge(1_500, none, none, facts, warnings);
    PathDoctor.judge(1_500, new EchoCounts(20, 19, 1, 0, 0, 0, 0), all, facts, warnings);
    assertThat(warnings).hasSize(3);
    assertThat(warnings.get(0)).contains("MTU black hole");
    assertThat(warnings.get(1)).contains("no UDP echo was answered");
    assertThat(warnings.get(2)).contains("lost 1 of 20 small packets");
  }

  @Test
  void whatIsPrintedIsWhatTheSchemaSays() throws Exception {
    Path file = Path.of("").toAbsolutePath().resolve("../../docs/net-result.schema.json");
    Map<String, Object> schema = JSON.std.mapFrom(Files.readString(file));
    String[] arguments = {"sweep", "-n", "10K", "--protocols", "udp", "-J"};
    assertThat(ebb(arguments)).as(err()).isZero();
    check(schema, JSON.std.mapFrom(out()), "record");
    assertThat(ebb("doctor", "-J")).isIn(0, 99);
    check(schema, JSON.std.mapFrom(out()), "record");
  }

  /** As much of JSON Schema as the file uses. */
  @SuppressWarnings("unchecked") // JSON's objects are maps by name
  private static void check(Map<String, Object> schema, Object value, String where) {
    if (schema.containsKey("const")) {
      assertThat(value).as(where).isEqualTo(schema.get("const"));
    }
    if (schema.get("enum") instanceof List<?> allowed) {
      assertThat(allowed.stream().map(Object::toString)).as(where).contains("" + value);
    }
    if (schema.containsKey("type")) {
      List<Object> types =
          schema.get("type") instanceof List<?> several
              ? (List<Object>) several
              : List.of(schema.get("type"));
      assertThat(types).as("%s: %s", where, value).containsAnyElementsOf(types(value));
    }
    if (value instanceof Map<?, ?> object) {
      Map<String, Object> named = (Map<String, Object>) schema.getOrDefault("properties", Map.of());
      for (Object required : (List<Object>) schema.getOrDefault("required", List.of())) {
        assertThat(((Map<String, Object>) object).keySet()).as(where).contains("" + required);
      }
      object.forEach(
          (name, member) -> {
            Object of = named.getOrDefault("" + name, schema.get("additionalProperties"));
            if (of instanceof Map<?, ?> inner) {
              check((Map<String, Object>) inner, member, where + "." + name);
            }
          });
    }
    if (value instanceof List<?> items && schema.get("items") instanceof Map<?, ?> inner) {
      items.forEach(item -> check((Map<String, Object>) inner, item, where + "[]"));
    }
  }

  private static List<Object> types(Object value) {
    if (Objects.isNull(value)) {
      return List.of("null");
    }
    if (value instanceof Number) {
      boolean whole = value instanceof Integer || value instanceof Long;
      return whole ? List.of("integer", "number") : List.of("number");
    }
    return List.of(
        value instanceof String
            ? "string"
            : value instanceof Boolean ? "boolean" : value instanceof List ? "array" : "object");
  }
}

package ebb.core.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.time.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResultRecordTest {
  @Test
  void jsonHoldsWhatWasPutIn() throws Exception {
    ResultRecord result =
        ResultRecord.of("ledbat send")
            .figure("rate_bytes_per_second", 1.5e6)
            .figure("bytes", 7L)
            .figure("unknown", Double.NaN)
            .fact("name", "a \"b\"\nc")
            .row(Map.of("x", 1))
            .warning("careful")
            .build(false, 5);
    Map<String, Object> read = JSON.std.mapFrom(result.toJson());
    assertThat(read).containsEntry("schema", "ebb-result/1").containsEntry("exit_code", 5);
    assertThat(read).containsEntry("complete", false).containsEntry("command", "ledbat send");
    assertThat(result.toJson()).doesNotContain("NaN").doesNotContain("\n");
    assertThat(read.get("figures").toString()).contains("unknown=null", "bytes=7");
    assertThat(((Map<?, ?>) read.get("facts")).get("name")).isEqualTo("a \"b\"\nc");
    assertThat(((Map<?, ?>) read.get("environment")).get("cpus"))
        .isEqualTo(Integer.toString(Runtime.getRuntime().availableProcessors()));
  }

  @Test
  void sysctlsAreReadWhole() throws Exception {
    Path sysctl = Path.of("/proc/sys/net/core/rmem_max");
    assumeTrue(Files.isReadable(sysctl), "no " + sysctl + " here");
    Process cat = new ProcessBuilder("cat", sysctl.toString()).start();
    String told = new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(Environment.capture()).containsEntry("rmem_max_bytes", told);
  }

  @Test
  void csvQuotesWhatNeedsIt() {
    ResultRecord result =
        ResultRecord.of("x").row(Map.of("a", "1,2")).row(Map.of("b", "q\"")).build(true, 0);
    assertThat(result.rowsToCsv()).isEqualTo("a,b\r\n\"1,2\",\r\n,\"q\"\"\"\r\n");
  }

  private static ResultRecord full() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", "\u00e9\u6587\uD83D\uDE80 \"x\"");
    row.put("bytes", 1);
    row.put("big", Long.MAX_VALUE);
    row.put("rate", 0.1);
    row.put("lost", Float.NaN);
    row.put("ok", true);
    row.put("nothing", null);
    VirtualClock clock = new VirtualClock(5);
    ResultRecord.Builder builder =
        ResultRecord.of("bench x", Instant.parse("2026-01-02T03:04:05Z"), clock)
            .figure("rate_bytes_per_second", 1.5e300)
            .figure("bytes", 7L)
            .figure("unknown", Double.NEGATIVE_INFINITY)
            .fact("name", "a,b")
            .row(row)
            .warning("careful");
    clock.advance(1_500_000);
    return builder.build(false, 5);
  }

  @Test
  void whatIsReadEqualsWhatWasWritten() {
    ResultRecord result = full();
    assertThat(ResultRecord.fromJson(result.toJson())).isEqualTo(result);
    assertThat(result.started()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(result.durationMicros()).isEqualTo(1_500_000);
    assertThat(result.rows().get(0)).containsEntry("lost", null).containsEntry("bytes", 1L);
  }

  @Test
  void fieldsOfLaterVersionsAreSkippedAndOlderOnesMayMissTheDuration() {
    ResultRecord result = full();
    String later = result.toJson().replaceFirst("\\{", "{\"new\":[1,{}],");
    assertThat(ResultRecord.fromJson(later)).isEqualTo(result);
    String older = result.toJson().replace("\"duration_micros\":1500000,", "");
    ResultRecord read = ResultRecord.fromJson(older);
    assertThat(read.durationMicros()).isNegative();
    assertThat(read.toJson()).isEqualTo(older);
  }

  @Test
  void whatIsNoResultIsRefusedInOneLine() {
    String good = full().toJson();
    String[] bad = {
      "",
      "[]",
      "null",
      "{}",
      "{\"schema\"",
      good.replace("ebb-result/1", "ebb-result/2"),
      good.replace("\"complete\":false", "\"complete\":\"no\""),
      good.replace("\"exit_code\":5", "\"exit_code\":5.5"),
      good.replace("\"bytes\":7", "\"bytes\":\"7\""),
      good.replace("[\"careful\"]", "[1]"),
      good.replace("\"rows\":[{", "\"rows\":[1,{"),
    };
    for (String json : bad) {
      assertThat(json).isNotEqualTo(good);
      assertThatIllegalArgumentException()
          .as(json)
          .isThrownBy(() -> ResultRecord.fromJson(json))
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
  }

  @Test
  void aRunIsOneLineOfCsv() {
    assertThat(full().toCsv())
        .isEqualTo(
            "schema,command,started,duration_micros,complete,exit_code,"
                + "figure.rate_bytes_per_second,figure.bytes,figure.unknown,fact.name\r\n"
                + "ebb-result/1,bench x,2026-01-02T03:04:05Z,1500000,false,5,"
                + "1.5E300,7,,\"a,b\"\r\n");
  }

  @Test
  void aResultCannotBeChangedLater() {
    ResultRecord result = full();
    assertThatThrownBy(() -> result.figures().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> result.rows().get(0).clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResultRecord.of("x").row(Map.of("list", List.of(1))));
  }

  @Test
  void theEnvironmentInventsNothing() {
    Map<String, String> facts = Environment.capture();
    assertThat(facts)
        .containsEntry("arch", System.getProperty("os.arch"))
        .containsEntry("max_heap_bytes", Long.toString(Runtime.getRuntime().maxMemory()));
    assertThat(facts.values()).allSatisfy(value -> assertThat(value).isNotBlank());
    assertThat(facts.values()).noneMatch(value -> value.contains("null"));
    Path source = Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    assertThat(facts.containsKey("clock_source")).isEqualTo(Files.isReadable(source));
  }
}

package ebb.storage.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyChartTest {
  private static Map<String, Object> row(String name, String measure, double p50) {
    return Map.of(
        "scope",
        "case",
        "case",
        name,
        "measure",
        measure,
        "complete",
        true,
        "latency_p50_micros",
        p50,
        "latency_p90_micros",
        20.0,
        "latency_p99_micros",
        30.0,
        "latency_p999_micros",
        40.0);
  }

  private static String page(List<Map<String, Object>> rows) {
    ResultRecord.Builder record = ResultRecord.of("storage run");
    rows.forEach(record::row);
    return new StorageReport(List.of(record.build(true, 0)), List.of()).page().toHtml();
  }

  @Test
  void aLineIsTheMedianOfItsRepetitions() {
    String html =
        page(
            List.of(
                row("stat", "latency", 7),
                row("stat", "latency", 11),
                row("stat", "latency", 13),
                row("upload", "transfer", 5)));
    assertThat(html)
        .contains("How latencies are spread", "\"name\":\"stat\"", "11")
        .doesNotContain("\"name\":\"upload\"");
  }

  @Test
  void aPlannedRateIsAnotherCase() {
    Map<String, Object> open = new HashMap<>(row("stat", "latency", 7));
    open.put("asked_operations_per_second", 100_000.0);
    Map<String, Object> slow = new HashMap<>(row("stat", "latency", 7));
    slow.put("asked_operations_per_second", 0.5);
    assertThat(page(List.of(row("stat", "latency", 7), open, slow)))
        .contains("\"name\":\"stat\"", "\"name\":\"stat at 100000/s\"", ">stat at 0.5/s<");
  }

  @Test
  void withoutManyOperationsThereIsNone() {
    assertThat(page(List.of(row("upload", "transfer", 5)))).doesNotContain("How latencies");
  }
}

package ebb.net.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tables of the reports that presets repeat, from rows whose figures are known. */
class PresetPageTest {
  private static Map<String, @Nullable Object> row(Object... namesAndValues) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put("" + namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  private static String page(String preset, List<Map<String, @Nullable Object>> rows) {
    ResultRecord.Builder result = ResultRecord.of("net sweep");
    result.fact("preset", preset).fact("server", "there:1");
    rows.forEach(result::row);
    return RunPage.of(List.of(result.build(true, 0))).toParts();
  }

  private static Map<String, @Nullable Object> amount(
      String protocol, String mode, int run, long sent, long received, long micros) {
    return row(
        "protocol",
        protocol,
        "mode",
        mode,
        "message_bytes",
        65_535L,
        "amount_bytes",
        500L << 20,
        "run",
        (long) run,
        "sent_messages",
        sent,
        "sent_bytes",
        500L << 20,
        "received_messages",
        received,
        "received_bytes",
        500L << 20,
        "transmission_micros",
        micros);
  }

  @Test
  void amountsHaveAClientsAndAServersTableForEachMechanism() {
    String page =
        page(
            "amounts",
            List.of(
                amount("tcp", "streaming", 1, 8_001, 8_101, 200_000),
                amount("tcp", "streaming", 2, 8_003, 8_103, 400_000),
                amount("tcp", "stop-and-wait", 1, 8_001, 8_001, 900_000),
                amount("udp", "streaming", 1, 8_001, 7_001, 700_000),
                amount("udp", "stop-and-wait", 1, 8_001, 8_001, 800_000)));
    for (int table = 1; table <= 8; table++) {
      assertThat(page).containsOnlyOnce("Table " + table + ": ");
    }
    assertThat(page)
        .contains("Table 1: TCP streaming, messages of 65,535 B, client statistics")
        .contains("Table 8: UDP stop-and-wait, messages of 65,535 B, server statistics")
        .contains("500 MiB", ">8,002<", ">524,288,000<", ">300<", ">400<")
        .contains("Time for an amount");
  }

  @Test
  void messagesHaveATableForEachNumberOfClientsAndBars() {
    List<Map<String, @Nullable Object>> rows =
        List.of(
            message("tcp", 1, 1, 1, 400, 10_000),
            message("tcp", 1_024, 1, 1, 500, 10_000_000),
            message("tcp", 1, 2, 1, 600, 5_000),
            message("tcp", 1, 2, 2, 800, 7_000),
            message("tcp", 1_024, 2, 1, 700, 5_000_000),
            message("tcp", 1_024, 2, 2, 700, 5_000_000));
    String page = page("messages", rows);
    assertThat(page)
        .contains("TCP readings", "TCP, single client:", "TCP, 2 clients:")
        .contains("Latency client 2", "Average throughput", "1 KiB")
        .contains("TCP: latency by message size", "TCP: throughput by message size")
        // Two clients: the mean of their latencies, the sum of their rates.
        .contains("\"name\":\"2 clients\",\"values\":[700")
        .contains("\"values\":[0.012");
  }

  private static Map<String, @Nullable Object> message(
      String protocol, long bytes, long clients, long client, double micros, double rate) {
    return row(
        "protocol", protocol,
        "mode", "stop-and-wait",
        "message_bytes", bytes,
        "clients", clients,
        "client", client,
        "round_trip_mean_micros", micros,
        "received_rate_bits_per_second", rate);
  }

  @Test
  void ratesHaveAColumnEach() {
    String page =
        page(
            "udp-rates",
            List.of(
                row(
                    "protocol",
                    "udp",
                    "mode",
                    "streaming",
                    "message_bytes",
                    1_400L,
                    "asked_rate_bits_per_second",
                    10e6,
                    "loss_ratio",
                    0.01,
                    "jitter_micros",
                    53L),
                row(
                    "protocol",
                    "udp",
                    "mode",
                    "streaming",
                    "message_bytes",
                    1_400L,
                    "asked_rate_bits_per_second",
                    150e6,
                    "loss_ratio",
                    0.03,
                    "jitter_micros",
                    36L)));
    assertThat(page)
        .contains("Table 6: UDP packet loss", "Table 7: UDP jitter", ">10M<", ">150M<", "there:1");
  }

  @Test
  void whatIsIncompleteOrNoPresetHasATableAllTheSame() {
    assertThat(page("amounts", List.of())).doesNotContain("Table 1");
    assertThat(page("", List.of(amount("tcp", "streaming", 1, 1, 1, 1)))).doesNotContain("Table 1");
    Map<String, @Nullable Object> broken = amount("tcp", "streaming", 1, 1, 1, 1);
    broken.put("sent_messages", null);
    assertThat(page("amounts", List.of(broken))).contains("Table 2");
  }
}

package ebb.net.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What pages say of results whose figures are known. */
class RunPageTest {
  private static Map<String, @Nullable Object> row(Object... namesAndValues) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put("" + namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  private static String page(ResultRecord.Builder result) {
    return RunPage.of(List.of(result.build(true, 0))).toParts();
  }

  private static ResultRecord.Builder client() {
    return ResultRecord.of("net client")
        .fact("protocol", "tcp")
        .fact("mode", "streaming")
        .fact("server", "there:1");
  }

  private static void interval(ResultRecord.Builder result, int stream, String side, Object trip) {
    result.row(
        row(
            "from_micros",
            0L,
            "to_micros",
            1_000_000L,
            "stream",
            (long) stream,
            "side",
            side,
            "rate_bits_per_second",
            8e6,
            "rtt_micros",
            trip));
  }

  private static String names(String page) {
    StringBuilder names = new StringBuilder();
    for (String part : page.split("\"name\":\"", -1)) {
      names.append(part, 0, Math.max(0, part.indexOf('"'))).append(' ');
    }
    return names.toString();
  }

  @Test
  void oneStreamHasOneNameInAllPanels() {
    ResultRecord.Builder one = client();
    interval(one, 1, "sender", 20_000L);
    interval(one, 1, "receiver", null);
    String page = page(one);
    assertThat(names(page)).contains(" up ", " down ").doesNotContain("up 1", "down 1");
    assertThat(page).contains("Round trip, smoothed").doesNotContain("Each stream");
    ResultRecord.Builder two = client();
    interval(two, 1, "sender", 20_000L);
    interval(two, 2, "sender", 20_000L);
    assertThat(names(page(two))).contains(" up ", "up 1", "up 2");
  }

  @Test
  void bytesAreSeparatedAndDelaysBetweenClocksSayHowWellTheyAreKnown() {
    ResultRecord.Builder result = client();
    result.figure("message_bytes", 65_535).figure("up_received_rate_bits_per_second", 1e9);
    result.figure("up_one_way_delay_mean_micros", 20_600.0);
    result.figure("clock_error_if_even_micros", 1_030.0);
    assertThat(page(result))
        .contains("65,535 B a message", "<span>received rate, up</span>")
        .contains("one-way delay mean, up, within 1.03 ms");
  }

  private static ResultRecord.Builder echoes(long... micros) {
    ResultRecord.Builder result =
        ResultRecord.of("net ping").fact("protocol", "udp").fact("mode", "echo");
    result.figure("loss_ratio", 0.25).figure("up_loss_ratio", 0.2);
    result.figure("round_trip_p50_micros", 300).figure("round_trip_p99_micros", 400);
    for (int i = 0; i < micros.length; i++) {
      Long trip = micros[i] < 0 ? null : (Long) micros[i];
      result.row(row("seq", i + 1L, "sent_micros", i * 10L, "round_trip_micros", trip));
    }
    return result;
  }

  @Test
  void echoesAreFoldedAwayAndTheirLossIsToldOnce() {
    String page = page(echoes(100, 200, 300, -1));
    assertThat(page)
        .contains("Raw data, 4 rows", "25.0% of the echoes were lost", "<span>loss</span>")
        .contains("Lost, echoes sent in the second")
        .doesNotContain("loss, up", "<table");
    assertThat(page(echoes(100, 200, 300))).doesNotContain("Lost, echoes sent in the second");
  }

  @Test
  void roundTripsThatLieFarApartAreDrawnOnALogarithmicAxis() {
    assertThat(page(echoes(100, 200, 300))).doesNotContain("decades");
    assertThat(page(echoes(100, 100, 100, 100_000)))
        .contains("\"xScale\":\"decades\",", "\"xs\":[[0.1,0.1,0.1,100]]");
  }

  @Test
  void repeatedRunsAreABox() {
    ResultRecord.Builder result = client();
    result.figure("runs", 2).figure("mean_received_rate_bits_per_second", 2e6);
    result.figure("min_received_rate_bits_per_second", 1e6);
    result.figure("p50_received_rate_bits_per_second", 2e6);
    result.figure("max_received_rate_bits_per_second", 3e6);
    result.row(row("received_rate_bits_per_second", 1e6));
    result.row(row("received_rate_bits_per_second", 3e6));
    assertThat(page(result))
        .contains("TCP: 2.00 Mbit/s arrived on average, from 1.00 Mbit/s to 3.00 Mbit/s in 2 runs.")
        .contains("Throughput of the runs", "\"points\":[1,3]", "received rate, median");
  }

  private static Map<String, @Nullable Object> run(
      String protocol, String mode, long bytes, long clients, double rate, @Nullable Double loss) {
    return row(
        "protocol",
        protocol,
        "mode",
        mode,
        "message_bytes",
        bytes,
        "asked_rate_bits_per_second",
        0L,
        "amount_bytes",
        0L,
        "clients",
        clients,
        "received_rate_bits_per_second",
        rate,
        "loss_ratio",
        loss);
  }

  private static String sweep(List<Map<String, @Nullable Object>> rows) {
    ResultRecord.Builder result = ResultRecord.of("net sweep").fact("preset", "");
    rows.forEach(result::row);
    return page(result);
  }

  @Test
  void aSweepHasAChartAndARowForEachCase() {
    String page =
        sweep(
            List.of(
                run("tcp", "streaming", 64, 1, 40_000, null),
                run("tcp", "streaming", 65_536, 1, 1e9, null),
                run("tcp", "streaming", 65_536, 1, 3e9, null),
                run("udp", "streaming", 64, 1, 2e6, 0.5),
                run("udp", "streaming", 65_536, 1, 4e6, 0.0)));
    assertThat(page)
        .contains("Figures against message size", "TCP streaming", "UDP streaming")
        .as("the mean of two runs, in Gbit/s")
        .contains("\"xScale\":\"binary\",", "\"xs\":[[64,65536]", "\"y\":[0.00004,2]")
        .contains("Message, bytes", ">65,536<", "least", "most", "Raw data, 5 rows")
        .as("figures that lie far apart have three digits each")
        .contains(">2,000<", ">1,000<", ">0.040<")
        .doesNotContain("asked rate", "Asked for", "Clients", "message_bytes</th>");
    assertThat(page).contains("From 40.0 kbit/s to 3.00 Gbit/s arrived in 5 streaming runs.");
    assertThat(sweep(List.of(run("tcp", "streaming", 1, 1, 1e6, null)))).contains("Each case");
    Map<String, @Nullable Object> quick = run("tcp", "stop-and-wait", 1, 1, 1e6, null);
    Map<String, @Nullable Object> slow = run("tcp", "stop-and-wait", 1, 1, 1e6, null);
    quick.put("round_trip_p50_micros", 30.0);
    slow.put("round_trip_p50_micros", 2_000.0);
    assertThat(sweep(List.of(slow, quick)))
        .contains("Round trips took from 30 us to 2.00 ms, median, in 2 stop-and-wait runs.");
    assertThat(
            sweep(
                List.of(
                    run("tcp", "streaming", 1, 1, 1e6, null),
                    run("ledbat", "streaming", 1, 1, 1e6, null))))
        .contains("Throughput by case", "[\"TCP streaming\",\"LEDBAT streaming\"]");
  }

  @Test
  void rowsThatNoEbbWroteMakeAPageAllTheSame() {
    ResultRecord.Builder ping = echoes(100, 200);
    ping.row(row("seq", "x", "sent_micros", 5L, "round_trip_micros", -4L));
    ping.row(row("seq", 9L, "sent_micros", null, "round_trip_micros", 1e300));
    assertThat(page(ping)).contains("Raw data, 4 rows");
    ResultRecord.Builder sweep = ResultRecord.of("net sweep").fact("preset", "messages");
    sweep.row(row("protocol", "<b>", "clients", 1e9, "message_bytes", -5L));
    sweep.row(row("protocol", null, "mode", 7L, "clients", "many", "message_bytes", "big"));
    assertThat(page(sweep)).contains("&lt;B&gt; readings").doesNotContain("<B>");
    ResultRecord.Builder matrix = ResultRecord.of("net matrix").fact("hosts", "<a>,,b");
    matrix.row(row("from", "<a>", "to", "b", "address", "internal", "mode", 7L));
    assertThat(page(matrix)).contains("<h1>").doesNotContain("<a>");
  }

  @Test
  void whatAResultDoesNotHaveIsNoPartOfItsTitle() {
    ResultRecord matrix = ResultRecord.of("net matrix").fact("hosts", "a,b,c").build(true, 0);
    ResultRecord load = ResultRecord.of("net load").fact("server", "there:1").build(true, 0);
    ResultRecord ping =
        ResultRecord.of("net ping").fact("protocol", "udp").fact("server", "h:1").build(true, 0);
    String page = RunPage.of(List.of(matrix, load, ping)).toParts();
    assertThat(page)
        .contains("<h1>Ebb: 3 measurements</h1>")
        .contains("<h2>1. net matrix between 3 hosts</h2>", "<h2>2. net load to there:1</h2>")
        .contains("<h2>3. UDP to h:1</h2>")
        .doesNotContain("?", "null", "><td data-label=\"Run\"></td>");
  }

  @Test
  void aLoadTellsWhatEachAddsAtMost() {
    ResultRecord.Builder result = ResultRecord.of("net load");
    result.row(row("load", "idle", "way", "", "added_micros", null));
    result.row(row("load", "TCP", "way", "up", "added_micros", 5_000.0, "grade", "A"));
    result.row(row("load", "TCP", "way", "down", "added_micros", 160_000.0, "grade", "D"));
    assertThat(page(result))
        .contains("<b>160.0 ms</b><span>added by TCP, down; grade D</span>")
        .doesNotContain("<b>5.000 ms");
  }

  @Test
  void runsOverOneAnotherAreToldApartByTheirLaw() {
    ResultRecord.Builder tcp = client();
    interval(tcp, 1, "sender", 40_000L);
    ResultRecord.Builder ledbat =
        ResultRecord.of("net client")
            .fact("protocol", "ledbat")
            .fact("mode", "streaming")
            .fact("transport", "LEDBAT controller here: scavenger");
    interval(ledbat, 1, "sender", 40_000L);
    String page = RunPage.of(List.of(tcp.build(true, 0), ledbat.build(true, 0))).toParts();
    assertThat(names(page)).contains("1. TCP up", "2. LEDBAT scavenger up");
    assertThat(page).contains("2. LEDBAT scavenger streaming").doesNotContain("Received down");
  }

  /** A result of 'ebb net yield' is not a dump of its rows. */
  @Test
  void aYieldHasItsChartItsBoundsAndItsPhases() {
    ResultRecord.Builder yield =
        ResultRecord.of("net yield")
            .fact("yielder", "ledbat_sender")
            .fact("verdict", "failed")
            .figure("alone_ledbat_rate_bits_per_second", 19.3e6)
            .figure("alone_tcp_rate_bits_per_second", 19.1e6)
            .figure("contended_tcp_rate_bits_per_second", 9.95e6)
            .figure("tcp_loss_ratio", 0.479)
            .figure("max_tcp_loss_ratio", 0.06)
            .figure("contended_duration_micros", 10_000_000)
            .figure("contended_probe_median_micros", 134_000);
    for (long at = 1; at <= 3; at++) {
      yield.row(
          row(
              "at_micros",
              at * 100_000,
              "phase",
              at == 1 ? "alone" : "contended",
              "ledbat_rate_bits_per_second",
              19e6,
              "tcp_rate_bits_per_second",
              at * 1e6,
              "tcp_cwnd_bytes",
              at == 2 ? null : at * 1_000));
    }
    String page = page(yield);
    assertThat(page)
        .contains(
            "It does not keep all limits: LEDBAT had 19.3 Mbit/s alone; TCP had 19.1 Mbit/s alone"
                + " and 9.95 Mbit/s beside it.",
            "what TCP lost, at most 6.000 %",
            "Arrived at the receiver",
            "Raw data, 3 rows")
        .contains("Probe, median added", "\"y\":[1,null,3]")
        .doesNotContain("LEDBAT after TCP", "tcp loss, max");
    assertThat(names(page)).contains("LEDBAT", "TCP");
  }
}

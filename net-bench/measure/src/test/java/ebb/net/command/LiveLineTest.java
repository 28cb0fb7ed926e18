package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Progress;
import ebb.core.stats.LatencyHistogram;
import ebb.net.control.FlowCounts;
import ebb.net.flow.Column;
import ebb.net.flow.Limits;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.report.RateFormat;
import ebb.net.run.FlowSample;
import ebb.net.run.RunSample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The line below a client's others. */
final class LiveLineTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long micros;

  private LiveLine line(int columns) {
    PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    return new LiveLine(new Progress(err, true, columns, () -> micros), RateFormat.FITTING);
  }

  private RunSample second(long arrivedBytes, long rttMicros) {
    return second(arrivedBytes, Map.of(Column.RTT, rttMicros));
  }

  private RunSample second(long arrivedBytes, Map<Column, Long> values) {
    long from = micros;
    micros += 1_000_000;
    FlowSample flow =
        new FlowSample(
            1,
            true,
            FlowCounts.NONE,
            arrivedBytes,
            1_000_000,
            values,
            new Limits(Map.of("cwnd", 1L)));
    return new RunSample(
        0,
        from,
        micros,
        false,
        List.of(flow),
        List.of(),
        FlowCounts.NONE,
        0,
        new LatencyHistogram());
  }

  @Test
  void hasBarsRateQueueAndLimitAndNoColours() {
    LiveLine line = line(80);
    line.show(second(1_250_000, 40_000));
    line.show(second(2_500_000, 55_000));
    String shown = bytes.toString(StandardCharsets.UTF_8);
    assertThat(shown)
        .contains("\u2588  up 10.0 Mbit/s  queue 0 us  limit cwnd 100%")
        .contains("\u2585\u2588  up 20.0 Mbit/s  queue 15.0 ms  limit cwnd 100%")
        .doesNotContain("\u001b");
  }

  /** A queue that was full when the first line was due is no less of one. */
  @Test
  void theQueueIsAboveTheShortestRoundTripThatTheKernelKnows() {
    line(80).show(second(1, Map.of(Column.RTT, 112_000L, LedbatColumns.MIN_RTT, 40_500L)));
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("queue 71.5 ms");
  }

  /** What is known to the reader anyway gives way: older bars, and what limited less. */
  @Test
  void queueAndLimitAreSeenIn80ColumnsBothWays() {
    LiveLine line = line(80);
    for (int i = 0; i < 30; i++) {
      bytes.reset();
      line.show(both(new Limits(Map.of("application", 93L, "peer window", 7L))));
    }
    String shown = bytes.toString(StandardCharsets.UTF_8).substring(1);
    assertThat(shown)
        .contains("up 20.0 Mbit/s  down 20.0 Mbit/s  queue 71.5 ms")
        .endsWith("  limit application 93%");
    assertThat(shown.length()).isLessThan(80);
  }

  @Test
  void allLimitsAreSeenWhereThereIsRoom() {
    LiveLine line = line(120);
    line.show(both(new Limits(Map.of("application", 93L, "peer window", 7L))));
    assertThat(bytes.toString(StandardCharsets.UTF_8)).endsWith("application 93%, peer window 7%");
  }

  private RunSample both(Limits limits) {
    long from = micros;
    micros += 1_000_000;
    Map<Column, Long> values = Map.of(Column.RTT, 112_000L, LedbatColumns.MIN_RTT, 40_500L);
    FlowCounts none = FlowCounts.NONE;
    return new RunSample(
        0,
        from,
        micros,
        false,
        List.of(
            new FlowSample(1, true, none, 2_500_000, 1_000_000, values, limits),
            new FlowSample(1, false, none, 2_500_000, 1_000_000, Map.of(), Limits.NONE)),
        List.of(),
        none,
        0,
        new LatencyHistogram());
  }

  @Test
  void keepsWithinTheTerminal() {
    LiveLine line = line(30);
    for (int i = 0; i < 40; i++) {
      line.show(second(1_250_000, 40_000));
    }
    for (String shown : bytes.toString(StandardCharsets.UTF_8).split("\r")) {
      assertThat(shown.length()).isLessThan(30);
    }
    line.clear();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).endsWith(" ".repeat(29) + "\r");
  }

  @Test
  void isNothingWithoutATerminal() {
    LiveLine line = new LiveLine(null, RateFormat.FITTING);
    line.show(second(1_250_000, 40_000));
    line.clear();
    assertThat(bytes.size()).isZero();
  }
}

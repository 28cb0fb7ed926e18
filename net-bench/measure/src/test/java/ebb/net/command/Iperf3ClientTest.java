package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.EbbException;
import ebb.core.result.ResultRecord;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** {@code ebb net compare --with iperf3}. */
final class Iperf3ClientTest {
  private static TestSpec spec(String protocol) {
    return TestSpec.of(protocol, Mode.STREAMING).messageBytes(1_400).maxMicros(1_000_000).build();
  }

  @Test
  void whatArrivedIsReadFromItsResult() {
    assertThat(
            Iperf3Client.figures(
                "{\"end\":{\"sum_sent\":{\"bits_per_second\":9e9},"
                    + "\"sum_received\":{\"bits_per_second\":8.5e9}}}",
                spec("tcp")))
        .containsOnly(Map.entry("received_rate_bits_per_second", 8.5e9));
    Map<String, Object> udp =
        Iperf3Client.figures(
            "{\"end\":{\"sum\":{\"bits_per_second\":20e6,\"jitter_ms\":0.25,\"lost_percent\":5}}}",
            spec("udp"));
    // 5% of 20 Mbit/s did not arrive.
    assertThat((Double) udp.get("received_rate_bits_per_second")).isCloseTo(19e6, within(1.0));
    assertThat((Double) udp.get("loss_ratio")).isCloseTo(0.05, within(1e-9));
    assertThat((Double) udp.get("jitter_micros")).isCloseTo(250, within(1e-9));
  }

  @Test
  void whatItComplainsAboutIsSaid() {
    for (String said :
        List.of("{\"error\":\"the server is busy\"}", "{\"end\":{}}", "iperf3: bad option\n")) {
      assertThatExceptionOfType(EbbException.class)
          .isThrownBy(() -> Iperf3Client.figures(said, spec("tcp")))
          .withMessageStartingWith("iperf3: ")
          .withMessageNotContaining("\n");
    }
  }

  @Test
  void bothMeasureTheSameOverLoopback() throws Exception {
    try {
      new ProcessBuilder("iperf3", "--version").start().waitFor();
    } catch (java.io.IOException none) {
      String skipped = "skipped: the comparison with iperf3 because it is not installed";
      System.out.println(skipped);
      Assumptions.abort(skipped);
    }
    CommandRunner.Ended ended =
        CommandRunner.run(
            new NetCompareCommand(),
            "net",
            "compare",
            "--with",
            "iperf3",
            "-n",
            "64M",
            "--repeat",
            "2",
            "-J");
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out().strip());
    assertThat(result.rows().stream().map(row -> row.get("tool")))
        .containsExactly("ebb", "iperf3", "ebb", "iperf3");
    double efficiency = result.figures().get("efficiency_ratio").doubleValue();
    assertThat(efficiency)
        .isCloseTo(
            result.figures().get("ebb_p50_received_rate_bits_per_second").doubleValue()
                / result.figures().get("iperf3_p50_received_rate_bits_per_second").doubleValue(),
            within(1e-9));
    assertThat(result.facts())
        .containsEntry("received_rate_bits_per_second", "too few runs to tell");
  }
}

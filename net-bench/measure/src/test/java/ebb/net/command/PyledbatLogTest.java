package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The time line of {@code ebb net yield} under pyledbat's names. */
final class PyledbatLogTest {
  private static Map<String, @Nullable Object> row(
      long atMicros, @Nullable Long cwnd, double ledbat, double tcp) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("at_micros", atMicros);
    row.put("ledbat_rate_bits_per_second", ledbat);
    row.put("tcp_rate_bits_per_second", tcp);
    row.put("ledbat_cwnd_bytes", cwnd);
    row.put("ledbat_rtt_micros", cwnd == null ? null : 41_500L);
    row.put("queuing_delay_micros", cwnd == null ? null : 1_250L);
    return row;
  }

  @Test
  void beginsWithLedbatAndCountsItsMessagesInSeconds() {
    ResultRecord record =
        ResultRecord.of("net yield")
            .row(row(100_000, null, 0, 8e6))
            .row(row(200_000, null, 0, 8e6))
            .row(row(300_000, 2_800L, 819_200, 0))
            .row(row(400_000, 14_000L, 8_192_000, 1e6))
            .row(row(500_000, null, 8_192_000, 1e6))
            .build(true, 0);
    assertThat(PyledbatLog.of(record).lines())
        .containsExactly(
            "Time,dT,Acked,dAck,Cwnd,QueuingDly,Srtt,TcpBitsPerSecond",
            "0.100,0.100,10,10,2800,0.001250,0.041500,0",
            "0.200,0.100,110,100,14000,0.001250,0.041500,1000000",
            "0.300,0.100,210,100,,,,1000000");
  }

  @Test
  void ofARunThatNeverHadLedbatOnlyTheNamesAreLeft() {
    ResultRecord record =
        ResultRecord.of("net yield").row(row(100_000, null, 0, 8e6)).build(false, 5);
    assertThat(PyledbatLog.of(record)).hasLineCount(1);
  }
}

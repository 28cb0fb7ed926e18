package ebb.net.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.report.RateFormat;
import org.junit.jupiter.api.Test;

/** iperf3's ways to write marks and rates. */
final class TypeOfServiceTest {
  @Test
  void marksAreReadInEveryBaseAndByName() {
    assertThat(TypeOfService.tos("52")).isEqualTo(52);
    assertThat(TypeOfService.tos("064")).isEqualTo(52);
    assertThat(TypeOfService.tos("0x34")).isEqualTo(52);
    assertThat(TypeOfService.ofDscp("46")).isEqualTo(TypeOfService.ofDscp("EF")).isEqualTo(0xb8);
    assertThat(TypeOfService.ofDscp("af31")).isEqualTo(0x68);
    assertThat(TypeOfService.ofDscp("cs7")).isEqualTo(0xe0);
    assertThat(TypeOfService.ofDscp("le")).isEqualTo(4);
  }

  @Test
  void marksAreShownByName() {
    assertThat(TypeOfService.text(0)).isEqualTo("be");
    assertThat(TypeOfService.text(2)).isEqualTo("ECT(0)");
    assertThat(TypeOfService.text(0xb8)).isEqualTo("ef");
    assertThat(TypeOfService.text(0x69)).isEqualTo("af31+ECT(1)");
    assertThat(TypeOfService.text(0xff)).isEqualTo("dscp 63+CE");
  }

  @Test
  void ratesHaveTheUnitThatWasAskedFor() {
    assertThat(RateFormat.of("m").text(1_045_000_000)).isEqualTo("1045 Mbit/s");
    assertThat(RateFormat.of("k").text(1_500)).isEqualTo("1.50 kbit/s");
    assertThat(RateFormat.of("M").text(8 << 20)).isEqualTo("1.00 MiB/s");
    assertThat(RateFormat.FITTING.text(1e6)).isEqualTo("1.00 Mbit/s");
  }
}

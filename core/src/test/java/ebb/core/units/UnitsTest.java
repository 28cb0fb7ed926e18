package ebb.core.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class UnitsTest {
  @Test
  void siAndIecAreKeptApart() {
    assertThat(ByteSize.parse("500").bytes()).isEqualTo(500);
    assertThat(ByteSize.parse("10M").bytes()).isEqualTo(10_000_000);
    assertThat(ByteSize.parse("10MB").bytes()).isEqualTo(10_000_000);
    assertThat(ByteSize.parse("10Mi").bytes()).isEqualTo(10_485_760);
    assertThat(ByteSize.parse("1GiB").bytes()).isEqualTo(1L << 30);
    assertThat(ByteSize.parse("1.5k").bytes()).isEqualTo(1_500);
    assertThat(ByteSize.parse(" 2 T ").bytes()).isEqualTo(2_000_000_000_000L);
  }

  @Test
  void ratesAreBitsUnlessTheBIsCapital() {
    assertThat(BitRate.parse("20M").bitsPerSecond()).isEqualTo(20_000_000);
    assertThat(BitRate.parse("50mbit").bitsPerSecond()).isEqualTo(50_000_000);
    assertThat(BitRate.parse("1.5Gbit").bitsPerSecond()).isEqualTo(1_500_000_000);
    assertThat(BitRate.parse("2MB").bitsPerSecond()).isEqualTo(16_000_000);
    assertThat(BitRate.parse("1MiB").bytesPerSecond()).isEqualTo(1_048_576);
  }

  @Test
  void timesNeedAUnit() {
    assertThat(Micros.parse("60ms").micros()).isEqualTo(60_000);
    assertThat(Micros.parse("500us").micros()).isEqualTo(500);
    assertThat(Micros.parse("1.5s").micros()).isEqualTo(1_500_000);
    assertThat(Micros.parse("2m").micros()).isEqualTo(120_000_000);
    assertThat(Micros.parse("0").micros()).isZero();
    assertThatThrownBy(() -> Micros.parse("60"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'60'")
        .hasMessageContaining("60ms");
  }

  @Test
  void junkIsRefusedInOneLine() {
    for (String junk : new String[] {"", "-1", "M", "1X", "1e9", "1,5M", "9999999999999G", "1 0"}) {
      assertThatThrownBy(() -> ByteSize.parse(junk))
          .as(junk)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + junk + "'")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }
  }

  @Test
  void humansReadThreeDigits() {
    assertThat(Human.bytes(0)).isEqualTo("0 B");
    assertThat(Human.bytes(999)).isEqualTo("999 B");
    assertThat(Human.bytes(12_345_678)).isEqualTo("12.3 MB");
    assertThat(Human.bytes(999_999)).isEqualTo("1.00 MB");
    assertThat(Human.byteRate(1e9)).isEqualTo("1.00 GB/s");
    assertThat(Human.bitRate(1.234e9)).isEqualTo("1.23 Gbit/s");
    assertThat(Human.micros(170)).isEqualTo("170 us");
    assertThat(Human.micros(41_700)).isEqualTo("41.7 ms");
    assertThat(Human.micros(2_500_000)).isEqualTo("2.50 s");
    assertThat(Human.micros(245_000_000)).isEqualTo("4m05s");
    assertThat(Human.clock(3_725)).isEqualTo("1h02m");
  }
}

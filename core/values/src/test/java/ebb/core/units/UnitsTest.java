package ebb.core.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
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

  @Test
  void whatIsTooLargeIsRefusedInOneLineThatSaysWhatIsAccepted() {
    // 2^63 - 1 bytes are the most; a rate in bytes has eight times fewer.
    assertThat(ByteSize.parse("9223372036854775807").bytes()).isEqualTo(Long.MAX_VALUE);
    for (String large : new String[] {"9223372036854775808", "10000000T", "9e".repeat(40)}) {
      assertThatThrownBy(() -> ByteSize.parse(large))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(large.substring(0, Math.min(64, large.length())))
          .hasMessageContaining("such as 500");
    }
    assertThatThrownBy(() -> BitRate.parse("2000000TB"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too large");
    assertThatThrownBy(() -> Micros.parse("9999999999h"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void messagesStayOnOneLineWhateverTheTextHolds() {
    for (String junk : new String[] {"1\n2", "\r1M\u001b[2J", "1\u2028", "\u0085"}) {
      assertThatThrownBy(() -> BitRate.parse(junk))
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(
              e -> assertThat(e.getMessage()).doesNotContainPattern("[\\p{Cntrl}\\u0085\\u2028]"));
    }
    assertThatThrownBy(() -> ByteSize.parse("1".repeat(1_000_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(200));
  }

  @Test
  void whatEbbPrintsAsARateItReads() {
    for (long rate : new long[] {20_000_000, 1_500_000_000, 999, 100_000}) {
      BitRate printed = new BitRate(rate);
      assertThat(BitRate.parse(printed.toString())).isEqualTo(printed);
    }
    assertThat(BitRate.parse("12.5 MB/s").bitsPerSecond()).isEqualTo(100_000_000);
    assertThatThrownBy(() -> ByteSize.parse("12.5 MB/s"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void roundingNeverPrintsFourDigits() {
    assertThat(Human.micros(999_499)).isEqualTo("999 ms");
    assertThat(Human.micros(999_999)).isEqualTo("1.00 s");
    assertThat(Human.micros(59_949_999)).isEqualTo("59.9 s");
    assertThat(Human.micros(59_999_999)).isEqualTo("1m00s");
    assertThat(Human.bytes(999.6)).isEqualTo("1.00 kB");
    assertThat(Human.bytes(999_499)).isEqualTo("999 kB");
  }

  @Test
  void whatIsNoNumberIsADash() {
    assertThat(Human.byteRate(Double.NaN)).isEqualTo("-");
    assertThat(Human.bitRate(Double.POSITIVE_INFINITY)).isEqualTo("-");
    assertThat(Human.bytes(-12_345_678)).isEqualTo("-12.3 MB");
    assertThat(Human.bytes(-0.1)).isEqualTo("0 B");
    assertThat(Human.micros(-41_700)).isEqualTo("-41.7 ms");
  }

  @Test
  void remainingTimesAreRoundedUpAndEndless() {
    assertThat(Human.eta(100, 30)).isEqualTo("4s");
    assertThat(Human.eta(0, 30)).isEqualTo("0s");
    assertThat(Human.eta(3_725, 1)).isEqualTo("1h02m");
    assertThat(Human.eta(97_200, 1)).isEqualTo("1d03h");
    assertThat(Human.eta(1, 0)).isEqualTo("-");
    assertThat(Human.eta(1e9, 1)).isEqualTo("-");
    assertThat(Human.eta(1, Double.NaN)).isEqualTo("-");
  }

  @Test
  void theLocaleDoesNotMatter() {
    Locale saved = Locale.getDefault();
    try {
      for (String tag : new String[] {"de-DE", "ar-EG", "tr-TR", "hi-IN-u-nu-deva"}) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertThat(Human.bytes(12_345_678)).as(tag).isEqualTo("12.3 MB");
        assertThat(Human.clock(245)).as(tag).isEqualTo("4m05s");
        assertThat(ByteSize.parse("1.5MiB").bytes()).as(tag).isEqualTo(1_572_864);
        assertThat(BitRate.parse("1mbit").bitsPerSecond()).as(tag).isEqualTo(1_000_000);
      }
    } finally {
      Locale.setDefault(saved);
    }
  }
}

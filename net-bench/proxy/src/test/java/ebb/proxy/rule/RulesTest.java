package ebb.proxy.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
  @ParameterizedTest
  @CsvSource({
    "example.com, example.com, 80, true",
    "example.com, EXAMPLE.com., 80, true",
    "example.com, www.example.com, 80, false",
    "*.example.com, a.b.example.com, 443, true",
    "*.example.com, example.com, 443, false",
    "*.example.com, badexample.com, 443, false",
    "10.*, 10.1.2.3, 22, true",
    "10.*, 110.1.2.3, 22, false",
    "*:443, anything, 443, true",
    "*:443, anything, 80, false",
    "a*b*c, aXXbYYbc, 1, true",
    "a*b*c, aXXbYYb, 1, false",
    "[2001:db8:*]:80, 2001:db8::1, 80, true",
    "[2001:db8:*]:80, 2001:db8::1, 81, false",
    "2001:db8::1, 2001:db8::1, 81, true",
  })
  void aPatternHoldsForSomeHosts(String pattern, String host, int port, boolean holds) {
    assertThat(HostPattern.parse(pattern).matches(host, port)).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "x:0", "x:65536", "x:y", "http://x", "[]:80"})
  void whatIsNoPatternIsRefused(String text) {
    assertThatThrownBy(() -> HostPattern.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aClassMaySayHowMuchQueueItMakes() {
    ClassRules rules =
        ClassRules.parse(List.of("a.example=background,target=20ms,limit=8M", "*=background"));
    assertThat(rules.of("a.example", 80).targetMicros()).isEqualTo(20_000);
    assertThat(rules.of("a.example", 80).limit().bytesPerSecond()).isEqualTo(1_000_000);
    assertThat(rules.of("b.example", 80).targetMicros()).isZero();
  }

  @Test
  void theFirstRuleThatFitsCountsAndBackgroundIsForAllOthers() {
    ClassRules rules =
        ClassRules.parse(
            List.of(
                "a.example=foreground", "*.example=background,limit=8M", "b.example=foreground"));
    assertThat(rules.of("a.example", 80).background()).isFalse();
    assertThat(rules.of("b.example", 80).background()).isTrue();
    assertThat(rules.of("b.example", 80).limit().bytesPerSecond()).isEqualTo(1_000_000);
    assertThat(rules.of("other.org", 80)).isSameAs(DestinationClass.BACKGROUND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.example",
        "a.example=",
        "a.example=fast",
        "a.example=background,limit=0",
        "a.example=background,limit=fast",
        "a.example=foreground,target=20ms",
        "a.example=background,target=1ms",
        "a.example=background,target=101ms",
        "a.example=background,target=20",
      })
  void whatIsNoRuleIsRefused(String text) {
    assertThatThrownBy(() -> ClassRules.parse(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "07:59, 250000",
    "08:00, 625000",
    "17:59, 625000",
    "18:00, 250000",
    "21:59, 250000",
    "22:00, 0",
    "05:59, 0",
    "06:00, 250000",
  })
  void theRateIsThatOfTheTimeOfDay(LocalTime now, long bytesPerSecond) {
    RateSchedule schedule = RateSchedule.parse(List.of("08:00-18:00=5M", "2M", "22:00-06:00=none"));
    assertThat(schedule.bytesPerSecond(now)).isEqualTo(bytesPerSecond);
  }

  @Test
  void aSpanMayEndTheDay() {
    RateSchedule schedule = RateSchedule.parse(List.of("20:00-24:00=8k"));
    assertThat(schedule.bytesPerSecond(LocalTime.of(23, 59))).isEqualTo(1_000);
    assertThat(schedule.bytesPerSecond(LocalTime.MIDNIGHT)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "1k", "08:00=5M", "08:00-25:00=5M", "8-18=5M", "x-y=5M"})
  void whatIsNoLimitIsRefused(String text) {
    assertThatThrownBy(() -> RateSchedule.parse(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("\n");
  }

  @Test
  void twoLimitsForAllDayAreRefused() {
    assertThatThrownBy(() -> RateSchedule.parse(List.of("5M", "6M")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

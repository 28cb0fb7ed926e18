package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BaseDelayHistoryTest {
  private static final long MINUTE = 60_000_000;

  private final BaseDelayHistory history = new BaseDelayHistory(10);

  @Test
  void withoutASampleThereIsNoBaseDelay() {
    // RFC 6817, 2.4.2: "initialize elements in base_delays to +INFINITY"
    assertThat(history.isEmpty()).isTrue();
    assertThat(history.minimumMicros()).isEqualTo(BaseDelayHistory.NONE);
  }

  @Test
  void aLowerSampleCountsAtOnce() {
    // RFC 6817, 2.4.2: "base_delays.tail = MIN(base_delays.tail, delay)"
    history.onSample(50_000, 0);
    history.onSample(20_000, 1);
    history.onSample(70_000, 2);
    assertThat(history.minimumMicros()).isEqualTo(20_000);
  }

  @Test
  void tenMinutesOfMinimaCount() {
    // RFC 6817, 2.4.2: "delete first item in base_delays list; append delay to base_delays list"
    // RFC 6817, 2.4.2: "stores BASE_HISTORY separate minima -- one each for the last BASE_HISTORY-1
    // minutes, and one for the running current minute."
    history.onSample(20_000, 59_999_999);
    for (int minute = 1; minute <= 9; minute++) {
      history.onSample(50_000 + minute, minute * MINUTE);
      assertThat(history.minimumMicros()).as("minute %d", minute).isEqualTo(20_000);
    }
    history.onSample(90_000, 10 * MINUTE - 1);
    assertThat(history.minimumMicros()).isEqualTo(20_000);
    history.onSample(90_000, 10 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(50_001);
    history.onSample(90_000, 11 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(50_002);
  }

  @Test
  void theMinuteOfTheClockCountsNotTheTimeSinceTheLastRoll() {
    // RFC 6817, 2.4.2: "if round_to_minute(now) != round_to_minute(last_rollover)"
    // Two samples 2 us apart but in two minutes: the first leaves nine minutes after the second.
    history.onSample(20_000, MINUTE - 1);
    history.onSample(30_000, MINUTE + 1);
    history.onSample(99_000, 10 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(30_000);
    // And 59.9 s apart within one minute do not roll, however often.
    BaseDelayHistory other = new BaseDelayHistory(2);
    other.onSample(20_000, 0);
    for (long now = 1_000_000; now < MINUTE; now += 1_000_000) {
      other.onSample(90_000, now);
    }
    assertThat(other.minimumMicros()).isEqualTo(20_000);
  }

  @Test
  void manySamplesOfAMinuteUseOneSlot() {
    history.onSample(20_000, 0);
    for (int i = 0; i < 1_000; i++) {
      history.onSample(60_000, MINUTE + i);
    }
    assertThat(history.minimumMicros()).isEqualTo(20_000);
  }

  @Test
  void minutesWithoutSamplesCountAsNoData() {
    // RFC 6817, 2.4.2: "a value of +INFINITY has to be stored in the list."
    history.onSample(20_000, 0);
    history.onSample(50_000, 4 * MINUTE);
    history.onSample(90_000, 10 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(50_000);
    history.onSample(90_000, 13 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(50_000);
    history.onSample(95_000, 14 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(90_000);
  }

  @Test
  void afterAWholeHistoryOfSilenceMeasurementBeginsAnew() {
    // RFC 6817, 2.4.2: "all minima in the list are thus set to +INFINITY and measurement begins
    // anew."
    history.onSample(20_000, 0);
    history.advance(10 * MINUTE);
    assertThat(history.isEmpty()).isTrue();
    history.onSample(80_000, 10 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(80_000);
  }

  @Test
  void anySilenceHoweverLong() {
    for (long minutes : new long[] {10, 11, 19, 20, 21, 1_000_000, 100_000_000_000L}) {
      BaseDelayHistory history = new BaseDelayHistory(10);
      history.onSample(20_000, 0);
      history.onSample(80_000, minutes * MINUTE);
      assertThat(history.minimumMicros()).as("%d minutes", minutes).isEqualTo(80_000);
    }
  }

  @Test
  void advancingWithoutSamplesBeforeTheFirstIsHarmless() {
    history.advance(5 * MINUTE);
    assertThat(history.isEmpty()).isTrue();
    history.onSample(20_000, 5 * MINUTE + 1);
    history.advance(14 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(20_000);
    history.advance(15 * MINUTE);
    assertThat(history.isEmpty()).isTrue();
  }

  @Test
  void aClockThatStartsBelowZeroCrossesItLikeAnyMinute() {
    history.onSample(20_000, -MINUTE - 1);
    history.onSample(50_000, -1);
    history.onSample(60_000, 0);
    assertThat(history.minimumMicros()).isEqualTo(20_000);
    // -MINUTE - 1 lies in minute -2, so it leaves with minute 8.
    history.onSample(70_000, 8 * MINUTE - 1);
    assertThat(history.minimumMicros()).isEqualTo(20_000);
    history.onSample(70_000, 8 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(50_000);
  }

  @Test
  void aTimeThatStepsBackCountsForTheNewestMinute() {
    history.onSample(50_000, 5 * MINUTE);
    history.onSample(20_000, 4 * MINUTE);
    history.onSample(90_000, 15 * MINUTE - 1);
    assertThat(history.minimumMicros()).isEqualTo(20_000);
    history.onSample(90_000, 15 * MINUTE);
    assertThat(history.minimumMicros()).isEqualTo(90_000);
  }

  @Test
  void delaysOfAnySignAreCompared() {
    history.onSample(-5_000_000_000L, 0);
    history.onSample(-5_000_010_000L, 1);
    history.onSample(-4_999_000_000L, 2);
    assertThat(history.minimumMicros()).isEqualTo(-5_000_010_000L);
  }

  @Test
  void skewIsBoundedByTheHistory() {
    // RFC 6817, A.2: "any error accumulation is limited to the amount of history maintained by the
    // base delay estimator, as dictated by the BASE_HISTORY parameter."
    // A receiver's clock that gains 100 ppm on a path of constant delay, for two hours.
    long worst = 0;
    for (long now = 0; now < 120 * MINUTE; now += 100_000) {
      long delay = 25_000 + now / 10_000;
      history.onSample(delay, now);
      worst = Math.max(worst, delay - history.minimumMicros());
    }
    // RFC 6817, A.2: 6 ms a minute, ten minutes at most; the last sample is 0.1 s short of it.
    assertThat(worst).isEqualTo(60_000 - 10);
  }

  @Test
  void skewOfTheOtherSignIsAbsorbedAtOnce() {
    // RFC 6817, A.2: "the drift should also lead to a lower base delay measurement, which
    // consequently absorbs the erroneous reduction in the one-way delay estimates."
    for (long now = 0; now < 30 * MINUTE; now += 100_000) {
      long delay = 25_000 - now / 10_000;
      history.onSample(delay, now);
      assertThat(history.minimumMicros()).isEqualTo(delay);
    }
  }

  @Test
  void aHistoryOfOneMinuteForgetsAtEveryMinute() {
    BaseDelayHistory one = new BaseDelayHistory(1);
    one.onSample(10_000, 0);
    one.onSample(30_000, MINUTE);
    assertThat(one.minimumMicros()).isEqualTo(30_000);
  }

  @Test
  void anySequenceAgreesWithTheDefinition() {
    Random random = new Random(6817);
    for (int minutes : new int[] {1, 2, 3, 10}) {
      BaseDelayHistory history = new BaseDelayHistory(minutes);
      List<long[]> samples = new ArrayList<>();
      long now = -20 * MINUTE + random.nextInt();
      for (int i = 0; i < 2_000; i++) {
        now += random.nextInt(4) == 0 ? random.nextLong(3 * MINUTE) : random.nextLong(MINUTE / 20);
        long delay = random.nextInt();
        history.onSample(delay, now);
        samples.add(new long[] {Math.floorDiv(now, MINUTE), delay});
        long oldest = Math.floorDiv(now, MINUTE) - minutes + 1;
        long expected = Long.MAX_VALUE;
        for (long[] sample : samples) {
          if (sample[0] >= oldest) {
            expected = Math.min(expected, sample[1]);
          }
        }
        assertThat(history.minimumMicros()).isEqualTo(expected);
      }
    }
  }
}

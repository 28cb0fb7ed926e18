package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The round trips of the first test are of a real link, when CUBIC joined behind a policer. */
class SuddenLossesTest {
  private final SuddenLosses losses = new SuddenLosses();

  @Test
  void aTcpThatJoinsShowsInTwoRoundTrips() {
    losses.begin(70, 7, true);
    assertThat(losses.onRound(79, 15)).isFalse(); // 14.8% of both.
    assertThat(losses.onRound(86, 22)).isTrue();
  }

  @Test
  void lessThanAnEighthMayBeOnesOwn() {
    losses.begin(72, 8, true);
    for (int i = 0; i < 10; i++) {
      assertThat(losses.onRound(72, 8)).isFalse();
    }
  }

  @Test
  void aHostThatWasLateLosesInOneRoundTrip() {
    losses.begin(70, 30, true);
    assertThat(losses.onRound(70, 0)).isFalse();
    assertThat(losses.onRound(70, 30)).isFalse();
  }

  @Test
  void aRateThatIsNotProvenMayBeTooMuch() {
    losses.begin(70, 30, false);
    assertThat(losses.onRound(70, 30)).isFalse();
    losses.begin(70, 30, true);
    losses.stop();
    assertThat(losses.onRound(70, 30)).isFalse();
  }
}

package ebb.net.client;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.client.ClockFilter.Estimate;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** On virtual time the truth is known: two clocks that drift, and a path with queues. */
class ClockFilterTest {
  private static final long SECOND = 1_000_000;
  private static final long ORIGIN = 77 * SECOND;
  private static final int SEEDS = 200;

  /** A path that takes time each way, and a clock at its other end. */
  private static final class Path {
    final Random random;
    final ClockFilter filter = new ClockFilter();
    final long thereMicros;
    final long backMicros;
    final double drift;

    /** Mean of the random wait each way. */
    double noiseMicros = 100;

    /** What else it waits on the way there. */
    double queueMicros;

    long now = ORIGIN;

    Path(int seed, long thereMicros, long backMicros, double drift) {
      random = new Random(seed);
      this.thereMicros = thereMicros;
      this.backMicros = backMicros;
      this.drift = drift;
    }

    private long noise() {
      return (long) (-noiseMicros * Math.log(1 - random.nextDouble()));
    }

    /** The other clock lies far back, and loses. */
    double truth(double atMicros) {
      return 5_000_000_000.0 + drift * (atMicros - ORIGIN);
    }

    /** Exchanges so far apart, for so long. */
    void ask(long everyMicros, long forMicros) {
      for (long until = now + forMicros; now < until; now += everyMicros) {
        long there = now + thereMicros + noise() + (long) (queueMicros * random.nextDouble());
        filter.onAnswer(now, (long) (there - truth(there)), there + backMicros + noise());
      }
    }

    double wrong(Estimate estimate) {
      return Math.abs(estimate.aheadMicros() - truth(estimate.atMicros()));
    }

    Estimate estimate() {
      return filter.at(now);
    }
  }

  @Test
  void anIdlePathTellsTheClockToAFractionOfItsRoundTrip() {
    int beyond = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Path path = new Path(seed, 20_000, 20_000, 50e-6);
      path.ask(20_000, 200_000);
      path.ask(250_000, 10 * SECOND);
      Estimate estimate = path.estimate();
      assertThat(estimate.tripMicros()).isBetween(40_000.0, 40_500.0);
      assertThat(estimate.errorMicros()).as("seed " + seed).isLessThan(200);
      beyond += path.wrong(estimate) > estimate.errorMicros() ? 1 : 0;
    }
    // The fastest exchange may have met a queue that nobody else did less of.
    assertThat(beyond).isLessThanOrEqualTo(SEEDS / 20);
  }

  @Test
  void driftIsFoundAndFollowed() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (double drift : new double[] {-80e-6, 0, 30e-6}) {
        Path path = new Path(seed, 20_000, 20_000, drift);
        path.ask(20_000, 200_000);
        path.ask(250_000, 60 * SECOND);
        Estimate estimate = path.estimate();
        assertThat(Math.abs(estimate.drift() - drift))
            .as("seed " + seed)
            .isLessThan(2 * estimate.driftError() + 1e-6);
        assertThat(estimate.driftError()).isLessThan(10e-6);
        // Five seconds without an answer.
        assertThat(estimate.aheadAt(path.now + 5 * SECOND))
            .isBetween(
                path.truth(path.now + 5 * SECOND) - 250, path.truth(path.now + 5 * SECOND) + 250);
      }
    }
  }

  @Test
  void aQueueOnOneWayDoesNotMoveTheClock() {
    int beyond = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Path path = new Path(seed, 20_000, 20_000, -40e-6);
      path.ask(20_000, 200_000);
      path.queueMicros = 200_000;
      path.ask(250_000, 10 * SECOND);
      Estimate estimate = path.estimate();
      // What is left is what clocks may drift in that time; half of a round trip were 120 ms.
      assertThat(estimate.errorMicros()).as("seed " + seed).isLessThan(1_500);
      beyond += path.wrong(estimate) > estimate.errorMicros() ? 1 : 0;
    }
    assertThat(beyond).isLessThanOrEqualTo(SEEDS / 20);
  }

  @Test
  void anUnevenPathIsWithinTheErrorThatIsToldForIt() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Path path = new Path(seed, 35_000, 5_000, 20e-6);
      path.ask(20_000, 200_000);
      path.ask(250_000, 10 * SECOND);
      Estimate estimate = path.estimate();
      assertThat(path.wrong(estimate)).isGreaterThan(estimate.errorMicros());
      assertThat(path.wrong(estimate))
          .isLessThan(estimate.errorMicros() + estimate.tripMicros() / 2);
    }
  }

  @Test
  void aClockThatIsNotSteadyMakesTheErrorLarger() {
    Path path = new Path(1, 20_000, 20_000, 900e-6);
    path.ask(20_000, 200_000);
    path.ask(250_000, 10 * SECOND);
    assertThat(path.wrong(path.estimate())).isLessThan(path.estimate().errorMicros());
    assertThat(path.estimate().errorMicros()).isGreaterThan(1_000);
  }

  @Test
  void aDayOfAnswersTakesNoMoreRoomAndForgetsNoFastOne() {
    Path path = new Path(1, 20_000, 20_000, 10e-6);
    path.ask(20_000, 200_000);
    path.noiseMicros = 3_000;
    path.ask(5 * SECOND, 86_400 * SECOND);
    assertThat(path.estimate().tripMicros()).isLessThan(40_500);
    assertThat(path.wrong(path.estimate())).isLessThan(path.estimate().errorMicros());
    assertThat(path.estimate().errorMicros()).isLessThan(1_500);
  }

  @Test
  void anAnswerBeforeItsQuestionIsNone() {
    ServerClock clock = new ServerClock();
    clock.onAnswer(1_000, 5, 900);
    assertThat(clock.comparison()).isEqualTo(ServerClock.Comparison.NONE);
    assertThat(clock.toServer(4_711)).isEqualTo(4_711);
  }

  @Test
  void theErrorToldIsTheLargestSinceItCounts() {
    ServerClock clock = new ServerClock();
    for (long at = 0; at < 2 * SECOND; at += 100_000) {
      clock.onAnswer(at, at + 20_000 - 9_000_000, at + 40_000);
    }
    assertThat(clock.toServer(1_500_000)).isBetween(1_500_000L - 9_000_020, 1_500_000L - 8_999_980);
    assertThat(clock.toLocal(clock.toServer(1_500_000))).isBetween(1_499_999L, 1_500_001L);
    assertThat(clock.tripMicros()).isEqualTo(40_000);
    long early = clock.comparison().errorIfEvenMicros();
    clock.forgetErrors();
    long late = clock.comparison().errorIfEvenMicros();
    assertThat(late).isLessThan(early);
    // No answer for ten seconds: what was stamped just before that one is as wrong as that.
    clock.onAnswer(12 * SECOND, 12 * SECOND + 20_000 - 9_000_000, 12 * SECOND + 40_000);
    assertThat(clock.comparison().errorIfEvenMicros()).isGreaterThan(late);
    assertThat(clock.comparison().errorMicros())
        .isEqualTo(clock.comparison().errorIfEvenMicros() + 20_000);
  }
}

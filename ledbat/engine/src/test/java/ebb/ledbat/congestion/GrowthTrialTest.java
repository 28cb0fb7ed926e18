package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrowthTrialTest {
  private static final int MSS = 1_500;
  private static final long RTT_MICROS = 50_000;
  private static final long BASE_MICROS = 25_000;
  private static final long SECOND = 1_000_000;
  private static final double WINDOW = 40 * MSS;

  /** Every acknowledgement is a millisecond after the last. */
  private static final long GAP_MICROS = 1_000;

  private final ScavengerState own = new ScavengerState(LedbatParameters.recommended(), MSS);
  private final GrowthTrial trial = new GrowthTrial(own, new LinkSearch(own));
  private long nowMicros = SECOND;
  private double delayMicros = 5_000;

  /** A path that held packets back by 8 ms, and is empty. */
  @BeforeEach
  void packetsCameTogether() {
    for (int i = 0; i < 64; i++) {
      own.path.jitter.onAck(1, nowMicros, BASE_MICROS + 8_000, RTT_MICROS);
      nowMicros += 12_000;
      own.path.jitter.onAck(4, nowMicros, BASE_MICROS, RTT_MICROS);
      nowMicros += GAP_MICROS;
    }
    measure(0);
    own.setWindow(WINDOW);
    own.enter(ScavengerMode.STEERING, "test");
    assertThat(own.path.jitter.heldBackMicros()).isBetween(7_000.0, 9_000.0);
  }

  private void measure(double queueMicros) {
    own.path.onRtt(RTT_MICROS + (long) queueMicros, nowMicros);
    own.path.queue.onDelay(BASE_MICROS + (long) queueMicros, nowMicros);
  }

  /**
   * Acknowledgements for so long.
   *
   * @param arrives how much of a window arrives in a round trip
   */
  private void run(double seconds, DoubleUnaryOperator arrives) {
    long untilMicros = nowMicros + (long) (seconds * SECOND);
    double owed = 0;
    while (nowMicros < untilMicros) {
      nowMicros += GAP_MICROS;
      measure(delayMicros);
      owed += arrives.applyAsDouble(own.cwnd) * GAP_MICROS / RTT_MICROS;
      trial.onAck((long) owed, true, true, nowMicros);
      owed -= (long) owed;
    }
  }

  private void runUntilRaised() {
    for (int i = 0; i < 3_000 && !trial.isUnderWay(); i++) {
      run(0.001, window -> window);
    }
    assertThat(own.cwnd).isEqualTo(1.25 * WINDOW);
  }

  @Test
  void theWindowGrowsWhileWhatIsAddedArrives() {
    run(5, window -> window);
    assertThat(own.cwnd).isGreaterThan(8 * WINDOW);
    assertThat(own.path.jitter.knownMicros()).as("so that this is no queue").isEqualTo(5_000);
  }

  @Test
  void aFullLinkCarriesNoMore() {
    runUntilRaised();
    delayMicros = 17_500;
    run(1, window -> WINDOW);
    assertThat(own.cwnd).isEqualTo(WINDOW);
    assertThat(own.path.jitter.knownMicros()).isNegative();
  }

  @Test
  void whereTheDelayMovesSomebodyElseMadeIt() {
    runUntilRaised();
    run(0.4, window -> window);
    delayMicros = 9_000;
    run(0.4, window -> window);
    assertThat(own.cwnd).as("all of it is undone").isEqualTo(WINDOW);
    assertThat(own.path.jitter.knownMicros()).isNegative();
  }

  @Test
  void oneThatWasSureKeepsWhatItHasReached() {
    run(3, window -> window);
    double reached = own.cwnd;
    delayMicros = 9_000;
    run(0.4, window -> window);
    assertThat(own.cwnd).isBetween(reached / 1.25, reached * 1.25);
  }

  @Test
  void itBeginsOnlyWhenTheDelayIsCalmAndShort() {
    for (int i = 0; i < 40; i++) {
      delayMicros = 2_000 + i % 4 * 1_500;
      run(0.1, window -> window);
    }
    assertThat(own.cwnd).as("a saw").isEqualTo(WINDOW);
    delayMicros = 10_000;
    run(4, window -> window);
    assertThat(own.cwnd).as("longer than packets were held back").isEqualTo(WINDOW);
  }

  @Test
  void aLossEndsItForAMinute() {
    trial.onLoss(nowMicros);
    assertThat(own.regrowth.explainsLosses(nowMicros)).isFalse();
    runUntilRaised();
    trial.onLoss(nowMicros);
    assertThat(own.cwnd).isEqualTo(WINDOW);
    assertThat(own.regrowth.explainsLosses(nowMicros)).isTrue();
    run(60, window -> window);
    assertThat(own.cwnd).isEqualTo(WINDOW);
    run(10, window -> window);
    assertThat(own.cwnd).isGreaterThan(WINDOW);
  }

  @Test
  void whoIsAloneSeesAllThatIsAddedWait() {
    trial.ask(nowMicros);
    for (int i = 0; i < 1_000 && !trial.isUnderWay(); i++) {
      run(0.001, window -> WINDOW);
    }
    delayMicros = 17_500;
    run(1, window -> WINDOW);
    assertThat(trial.isUnderWay()).isFalse();
    assertThat(own.isSteering()).isTrue();
  }

  @Test
  void whoSharesTakesFromOthers() {
    trial.ask(nowMicros);
    delayMicros = 20_000;
    run(1, window -> window);
    assertThat(own.mode).isEqualTo(ScavengerMode.YIELDING);
    assertThat(own.trigger).isEqualTo("restless");
    assertThat(trial.isUnderWay()).isFalse();
  }

  @Test
  void whoLosesWhileItIsAskedGivesWay() {
    trial.ask(nowMicros);
    for (int i = 0; i < 1_000 && !trial.isUnderWay(); i++) {
      run(0.001, window -> WINDOW);
    }
    trial.onLoss(nowMicros);
    assertThat(own.mode).isEqualTo(ScavengerMode.YIELDING);
    assertThat(own.cwnd).as("and not the window of before").isEqualTo(MSS);
  }

  @Test
  void oneThatIsInterruptedGivesTheWindowBack() {
    runUntilRaised();
    trial.stop(nowMicros);
    assertThat(own.cwnd).isEqualTo(WINDOW);
    assertThat(trial.isUnderWay()).isFalse();
  }

  @Test
  void onAPathWithoutJitterOneIsOnlyAskedFor() {
    ScavengerState plain = new ScavengerState(LedbatParameters.recommended(), MSS);
    GrowthTrial asked = new GrowthTrial(plain, new LinkSearch(plain));
    assertThat(rivalIsSeen(plain, asked, window -> window)).as("nobody asks").isNull();
    asked.ask(nowMicros);
    assertThat(rivalIsSeen(plain, asked, window -> WINDOW)).as("all waits").isFalse();
    assertThat(plain.cwnd).isEqualTo(WINDOW);
    asked.ask(nowMicros);
    assertThat(rivalIsSeen(plain, asked, window -> 1.25 * WINDOW * window / (window + WINDOW / 4)))
        .as("a fifth of the link was another's")
        .isTrue();
  }

  /** Two seconds on a link that carries so much of a window; null where no trial began. */
  private Boolean rivalIsSeen(ScavengerState state, GrowthTrial one, DoubleUnaryOperator carries) {
    state.enter(ScavengerMode.STEERING, "test");
    state.setWindow(WINDOW);
    boolean began = false;
    boolean seen = false;
    double owed = 0;
    for (int i = 0; i < 2_000 && !seen; i++) {
      nowMicros += GAP_MICROS;
      double carried = carries.applyAsDouble(state.cwnd);
      long waitsMicros =
          (long) ((state.cwnd / carried - WINDOW / carries.applyAsDouble(WINDOW)) * RTT_MICROS);
      state.path.onRtt(RTT_MICROS + waitsMicros, nowMicros);
      state.path.queue.onDelay(BASE_MICROS + waitsMicros, nowMicros);
      owed += carried * GAP_MICROS / RTT_MICROS;
      one.onAck((long) owed, true, true, nowMicros);
      owed -= (long) owed;
      began |= one.isUnderWay();
      seen |= !state.isSteering();
    }
    return began ? seen : null;
  }

  @Test
  void aCeilingHidesWhatIsAdded() {
    own.ceiling.onLoss(1_000_000, nowMicros);
    trial.ask(nowMicros);
    assertThat(own.mode).isEqualTo(ScavengerMode.YIELDING);
  }
}

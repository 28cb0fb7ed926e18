package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.storage.port.Moved;
import ebb.storage.port.StoragePort.Done;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaneResultTest {
  private static final long SECOND = 1_000_000;

  private static Done done(long startMicros, long micros) {
    Outcome outcome = new Outcome(startMicros, micros, 1, 0, 0, List.of(), null, "");
    return new Done(1, outcome, new Moved(1_000, 0, true), List.of());
  }

  /** Operations of a thousand bytes, each so long, with a pause after it. */
  private static LaneResult lane(long count, long operationMicros, long pauseMicros) {
    LaneResult lane = new LaneResult();
    for (long i = 0; i < count; i++) {
      long start = i * (operationMicros + pauseMicros);
      lane.count(done(start, operationMicros), false);
    }
    return lane;
  }

  @Test
  void oneLanesRateIsOverTheStoresTime() {
    // 10 operations of 0.1 s: 10,000 bytes in a second of the store's.
    LaneResult lane = LaneResult.together(List.of(lane(10, SECOND / 10, SECOND)));
    assertThat(lane.bytesPerSecond()).isCloseTo(10_000, within(1.0));
    assertThat(lane.operationsPerSecond()).isCloseTo(10, within(0.01));
  }

  @Test
  void lanesThatAreAlwaysInTheStoreAddUp() {
    LaneResult busy = lane(10, SECOND / 10, 0);
    assertThat(LaneResult.together(List.of(busy, busy, busy, busy)).bytesPerSecond())
        .isCloseTo(40_000, within(1.0));
  }

  @Test
  void lanesThatAreMostlyElsewhereDoNotAddUp() {
    // In the store for 1,000 of 10,900 ms each; at least one of two is there for
    // 1 - (1 - 1,000 / 10,900)^2 = 17.5% of that: 20,000 bytes in 1.908 s, not in one.
    LaneResult rare = lane(10, SECOND / 10, SECOND * 11 / 10);
    LaneResult two = LaneResult.together(List.of(rare, rare));
    assertThat(two.bytesPerSecond()).isCloseTo(20_000 / 1.908, within(20.0));
    assertThat(two.bytes()).isEqualTo(20_000);
  }

  private static Transfer transfer(long from, long to) {
    return new Transfer(0, done(from, to - from).outcome(), 1_000, new long[0], new long[0]);
  }

  @Test
  void transfersCountOverTheTimeThatOneWasUnderWay() {
    List<LaneResult> lanes = new ArrayList<>();
    // Two overlap by a second, the third comes later: 3 + 1 seconds.
    List<Transfer> transfers =
        List.of(
            transfer(10 * SECOND, 11 * SECOND),
            transfer(0, 2 * SECOND),
            transfer(SECOND, 3 * SECOND));
    for (Transfer one : transfers) {
      LaneResult lane = new LaneResult();
      lane.count(done(one.outcome().startMicros(), one.outcome().durationMicros()), false);
      lanes.add(lane);
    }
    PhaseResult phase = new PhaseResult(false, List.of(0, 1, 2), lanes, transfers, List.of());
    assertThat(phase.sum().bytesPerSecond()).isCloseTo(3_000 / 4.0, within(0.1));
    assertThat(LaneResult.sum(lanes).bytesPerSecond()).isCloseTo(1_000 + 500 + 500, within(0.1));
    assertThat(phase.process(0).bytesPerSecond()).isCloseTo(1_000, within(0.1));
  }

  @Test
  void whatAClientDidIsTheSameOnTheCoordinatorsClock() {
    LaneResult here = lane(10, SECOND, SECOND);
    Outcome failed =
        new Outcome(0, 5, 2, 1, 3, List.of("HTTP 503"), FailureKind.UNAVAILABLE, "gone");
    here.count(new Done(2, failed, new Moved(0, 0, false), List.of()), false);
    LaneResult there = LaneResult.of(new Fields(here.fields()), 7 * SECOND);
    assertThat(there.startMicros()).isEqualTo(here.startMicros() - 7 * SECOND);
    assertThat(there.endMicros()).isEqualTo(here.endMicros() - 7 * SECOND);
    Map<String, Object> fields = LaneResult.of(new Fields(here.fields()), 0).fields();
    assertThat(fields).isEqualTo(here.fields());
    for (String name : fields.keySet()) {
      if (!name.equals("message")) {
        Map<String, Object> wrong = new HashMap<>(fields);
        wrong.put(name, "nonsense");
        assertThatIllegalArgumentException()
            .as(name)
            .isThrownBy(() -> LaneResult.of(new Fields(wrong), 0));
      }
    }
  }

  @Test
  void severalClientsHaveTheRateOfTheTimeInCommon() {
    LaneResult sum =
        LaneResult.inCommon(
            List.of(lane(10, SECOND, 0), lane(20, SECOND, 0)),
            new Spread.Sum(15_000, 15),
            5 * SECOND);
    assertThat(sum.bytesPerSecond()).isEqualTo(3_000);
    assertThat(sum.operationsPerSecond()).isEqualTo(3);
    assertThat(sum.operations()).isEqualTo(30);
    assertThat(LaneResult.inCommon(List.of(), new Spread.Sum(0, 0), 0).bytesPerSecond()).isNaN();
  }
}

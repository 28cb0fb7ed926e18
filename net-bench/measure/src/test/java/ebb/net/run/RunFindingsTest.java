package ebb.net.run;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.Mechanisms;
import ebb.net.client.ServerClock;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.Column;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.FlowLook;
import ebb.net.flow.IdleEnd;
import ebb.net.flow.Latencies;
import ebb.net.flow.Limits;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A virtual link of one byte a microsecond, whose acknowledgements come back in bunches. */
class RunFindingsTest {
  private static final long STEP_MICROS = 100_000;
  private static final long STREAMS = 2;

  /** A stream that has written all, of which the peer has acknowledged so much. */
  private static final class Sender extends IdleEnd {
    private long acked;

    private Sender() {
      tally().bytes(1L << 30, 0);
    }

    @Override
    public CompletableFuture<Optional<FlowFigures>> figures() {
      return CompletableFuture.completedFuture(
          Optional.of(new FlowFigures(Map.of(Column.ACKED, acked), Limits.NONE, null)));
    }
  }

  private final List<RunSample> samples = new ArrayList<>();
  private final List<Sender> senders = new ArrayList<>();
  private final RunFlows flows =
      new RunFlows(
          (stream, sending) -> {
            senders.add(new Sender());
            return CompletableFuture.completedFuture(senders.get(senders.size() - 1));
          });
  private final RunFindings findings = new RunFindings(plan(), new Latencies(), samples::add);

  private static NetPlan plan() {
    TestSpec spec =
        TestSpec.of("tcp", Mode.STREAMING)
            .streams((int) STREAMS)
            .messageBytes(1_000)
            .maxMicros(10 * STEP_MICROS)
            .build();
    return NetPlan.of(InetSocketAddress.createUnresolved("nowhere", 1), Mechanisms.get("tcp"), spec)
        .build();
  }

  private void start() {
    flows.open(plan().spec(), Runnable::run).join();
    findings.start(flows, new ServerClock(), 0);
  }

  /** An interval ends. */
  private void look(long atMicros, long ackedOfEach, boolean last) {
    senders.forEach(sender -> sender.acked = ackedOfEach);
    List<FlowLook> looks = flows.look(() -> atMicros).join();
    flows.remember(looks);
    findings.add(looks, false, last);
  }

  private void report(long atMicros, long bytes, boolean last) {
    FlowCounts none = FlowCounts.NONE;
    FlowCounts received = none.of(bytes, 0);
    findings.onCounts(
        atMicros, new Counts(last, atMicros, bytes, atMicros, received, none, none, none));
  }

  @Test
  void acknowledgementsInBunchesMakeNoIntervalFasterThanTheLink() {
    start();
    for (long step = 1; step <= 10; step++) {
      long now = step * STEP_MICROS;
      // What came in three steps is acknowledged in one.
      look(now, step / 3 * 3 * STEP_MICROS / STREAMS, false);
      report(now + 10_000, now + 10_000, false);
    }
    findings.lasted(1_010_000);
    report(1_050_000, 1_050_000, true);
    look(1_300_000, 9 * STEP_MICROS / STREAMS, true);
    assertThat(samples).hasSize(11);
    for (RunSample sample : samples) {
      assertThat(sample.arrivedBytes(true)).isBetween(0L, sample.micros() + 1);
      assertThat(sample.serverReceived().bytes()).isBetween(0L, sample.serverMicros() + 1);
    }
    assertThat(samples.stream().mapToLong(sample -> sample.arrivedBytes(true)).sum())
        .isEqualTo(1_050_000);
  }

  @Test
  void theLastIntervalLastsUntilTheLastByteCame() {
    start();
    look(STEP_MICROS, 0, false);
    report(STEP_MICROS, STEP_MICROS, false);
    // Its time is over, and a full buffer of the link comes on.
    findings.lasted(2 * STEP_MICROS);
    report(4 * STEP_MICROS, 4 * STEP_MICROS, true);
    look(9 * STEP_MICROS, 0, true);
    RunSample last = samples.get(samples.size() - 1);
    assertThat(last.fromMicros()).isEqualTo(STEP_MICROS);
    assertThat(last.toMicros()).isEqualTo(4 * STEP_MICROS);
    assertThat(last.arrivedBytes(true)).isEqualTo(3 * STEP_MICROS);
  }

  /** What comes back goes on for longer: that makes what went no slower. */
  @Test
  void theLastIntervalOfEachDirectionEndsWithItsOwnLastByte() {
    start();
    look(STEP_MICROS, 0, false);
    report(STEP_MICROS, STEP_MICROS, false);
    report(2 * STEP_MICROS, 2 * STEP_MICROS, true);
    findings.lasted(5 * STEP_MICROS);
    look(9 * STEP_MICROS, 0, true);
    RunSample last = samples.get(samples.size() - 1);
    assertThat(last.toMicros()).isEqualTo(5 * STEP_MICROS);
    assertThat(last.toMicros(true)).isEqualTo(2 * STEP_MICROS);
    assertThat(last.bitsPerSecond(true)).isEqualTo(8e6);
  }

  /** The clocks are compared within some milliseconds, and its last words seem to be of later. */
  @Test
  void aServerWhoseClockIsAheadMakesTheLastIntervalNoFaster() {
    start();
    look(STEP_MICROS, 0, false);
    report(STEP_MICROS, STEP_MICROS, false);
    findings.lasted(2 * STEP_MICROS - 5_000);
    FlowCounts none = FlowCounts.NONE;
    FlowCounts received = none.of(2 * STEP_MICROS, 0);
    long serverMicros = 2 * STEP_MICROS;
    findings.onCounts(
        serverMicros - 5_000,
        new Counts(true, serverMicros, serverMicros, serverMicros, received, none, none, none));
    look(9 * STEP_MICROS, 0, true);
    RunSample last = samples.get(samples.size() - 1);
    assertThat(last.arrivedBytes(true)).isEqualTo(STEP_MICROS);
    assertThat(last.bitsPerSecond(true)).isEqualTo(8e6);
  }

  /** Java loads what the server needs to hear of the start, and the data is there already. */
  @Test
  void aServerThatHearsLateOfTheStartMakesARunNoFaster() {
    start();
    look(STEP_MICROS, 0, false);
    FlowCounts none = FlowCounts.NONE;
    FlowCounts received = none.of(2 * STEP_MICROS, 0);
    findings.onCounts(
        2 * STEP_MICROS,
        new Counts(
            true, 2 * STEP_MICROS, 2 * STEP_MICROS, STEP_MICROS, received, none, none, none));
    look(3 * STEP_MICROS, 0, true);
    RunOutcome outcome = findings.outcome(flows, null);
    assertThat(outcome.receivingMicros(true)).isEqualTo(2 * STEP_MICROS);
    assertThat(outcome.receivedBitsPerSecond(true)).isEqualTo(8e6);
  }

  @Test
  void anIntervalIsToldWhenTheServerHasSaidWhatCameInIt() {
    start();
    look(STEP_MICROS, 0, false);
    report(STEP_MICROS - 1, 70_000, false);
    assertThat(samples).isEmpty();
    report(2 * STEP_MICROS, 70_000, false);
    assertThat(samples).hasSize(1);
    assertThat(samples.get(0).arrivedBytes(true)).isEqualTo(70_000);
  }
}

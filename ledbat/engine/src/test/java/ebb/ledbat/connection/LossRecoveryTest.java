package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.recovery.SentPackets;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which losses a controller is told of. */
class LossRecoveryTest {
  private static final long SECOND = 1_000_000;
  private static final int FIRST = 1_000;

  private final SentPackets sent = new SentPackets(FIRST);
  private final List<String> told = new ArrayList<>();
  private final RttEstimator rtt = new RttEstimator(SECOND, SECOND, 60 * SECOND);
  private final LossRecovery recovery =
      new LossRecovery(
          sent,
          controller(told),
          rtt,
          new MtuProber(1_400, 1_400, 1_400),
          new Withholding(1, 0x10000L),
          new Timers(),
          null);

  /** A controller that notes the names of the events that it is told. */
  private static CongestionController controller(List<String> told) {
    return (CongestionController)
        Proxy.newProxyInstance(
            LossRecoveryTest.class.getClassLoader(),
            new Class<?>[] {CongestionController.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("on")) {
                told.add(method.getName());
              }
              return method.getReturnType() == long.class ? 0L : null;
            });
  }

  private void send(int packets) {
    for (int i = 0; i < packets; i++) {
      sent.add(0, 100, false, false, 0);
    }
  }

  private void ack(int packet) {
    ack(packet, 1);
  }

  private void ack(int packet, long nowMicros) {
    recovery.onAcked(packet, nowMicros);
    sent.acknowledge(packet);
    recovery.undo(nowMicros);
    recovery.detect(nowMicros);
  }

  @Test
  void whatWasSentBeforeAReductionReducesNothingMore() {
    // RFC 6675, 5: "An incoming cumulative ACK for a sequence number greater than RecoveryPoint
    // signals the end of loss recovery"
    send(10);
    ack(FIRST + 3);
    assertThat(told).containsExactly("onLoss");
    ack(FIRST + 9);
    assertThat(sent.lostPackets()).isGreaterThan(1);
    assertThat(told).containsOnlyOnce("onLoss").contains("onLateLoss");
    send(4);
    ack(FIRST + 13);
    assertThat(told).filteredOn("onLoss"::equals).hasSize(2);
  }

  @Test
  void aReductionIsTakenBackWhenAllThatWasMissedHasArrivedAfterAll() {
    rtt.onSample(SECOND);
    send(10);
    ack(FIRST + 4, SECOND); // 1,000 and 1,001 are missed.
    assertThat(told).containsExactly("onLoss");
    sent.resent(FIRST, SECOND);
    ack(FIRST, SECOND + 1_000); // Sooner than a round trip after its repetition.
    assertThat(told).doesNotContain("onSpuriousLoss");
    ack(FIRST + 1, SECOND + 2_000); // Not even repeated yet.
    assertThat(told).containsOnlyOnce("onSpuriousLoss");
  }

  @Test
  void aReductionStandsWhenOneOfThePacketsWasLost() {
    rtt.onSample(SECOND);
    send(10);
    ack(FIRST + 4, SECOND);
    sent.resent(FIRST, SECOND);
    sent.resent(FIRST + 1, SECOND);
    ack(FIRST, SECOND + 1_000);
    ack(FIRST + 1, 2 * SECOND); // A round trip after its repetition: the repetition it is.
    assertThat(told).contains("onLoss").doesNotContain("onSpuriousLoss");
  }

  @Test
  void aTimeoutIsNotTakenBack() {
    rtt.onSample(SECOND);
    send(10);
    ack(FIRST + 3, SECOND);
    recovery.onTimeout(SECOND);
    ack(FIRST, SECOND + 1_000);
    assertThat(told).contains("onLoss").doesNotContain("onSpuriousLoss");
  }
}

package ebb.net.ledbat;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.ConnectionStats.Incoming;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.connection.ReceiveLimit;
import ebb.net.flow.Column;
import org.junit.jupiter.api.Test;

class LedbatColumnsTest {
  private static final Incoming CONTROLLED =
      new Incoming("scavenger", "", 20_000, 0, 0, 0, 0, 0, ReceiveLimit.WINDOW);

  private static ConnectionStats stats(Incoming incoming) {
    return new ConnectionStats(
        0,
        new ConnectionStats.Bytes(0, 0, 5_064, 3_000, 0, 0),
        new ConnectionStats.Packets(0, 0, 0, 0, 0, 0),
        new ConnectionStats.Window(0, 0, 0, 0),
        new ConnectionStats.Delays(0, 0, 0, 0, 0),
        LimitTimes.NONE,
        incoming);
  }

  @Test
  void aReceiverHasWhatItReadAndWhatWaitsBehindHoles() {
    for (Incoming incoming : new Incoming[] {Incoming.NONE, CONTROLLED}) {
      assertThat(LedbatColumns.ofReceiver(stats(incoming), 5_000).values())
          .containsEntry(Column.RECEIVED, 8_000L);
    }
    assertThat(LedbatColumns.ofSender(stats(Incoming.NONE)).values())
        .doesNotContainKey(Column.RECEIVED);
  }
}

package ebb.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

final class TcpSnapshotTest {
  @Test
  void readsTheFieldsOfLinuxTcpInfo() {
    ByteBuffer info = ByteBuffer.allocate(TcpSnapshot.BYTES).order(ByteOrder.nativeOrder());
    info.put(5, (byte) 0b11)
        .putInt(16, 1400)
        .putInt(20, 1448)
        .putInt(68, 41_000)
        .putInt(92, 250_000)
        .putInt(100, 7)
        .putLong(120, 1L << 40)
        .putLong(128, 1L << 41)
        .putInt(148, 40_000)
        .putInt(152, 9)
        .putInt(156, 8)
        .putInt(224, -1)
        .putInt(232, 65_536);
    TcpSnapshot seen = TcpSnapshot.parse(info);
    assertThat(seen.timestamps()).isTrue();
    assertThat(seen.sentPacketBytes()).isEqualTo(1400);
    assertThat(seen.receivedPacketBytes()).isEqualTo(1448);
    assertThat(seen.rttMicros()).isEqualTo(41_000);
    assertThat(seen.receiverRttMicros()).isEqualTo(250_000);
    assertThat(seen.leastRttMicros()).isEqualTo(40_000);
    assertThat(seen.counts())
        .isEqualTo(new TcpSnapshot.Counts(7, 1L << 40, 1L << 41, 9, 8, 0xffffffffL, 65_536));
  }

  @Test
  void aLeastRoundTripThatTheKernelDoesNotKnowIsNone() {
    ByteBuffer info = ByteBuffer.allocate(TcpSnapshot.BYTES).order(ByteOrder.nativeOrder());
    info.putInt(148, -1);
    assertThat(TcpSnapshot.parse(info).leastRttMicros()).isZero();
  }
}

package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimestampsTest {
  @Test
  void theDelayIsTheLocalClockMinusTheRemoteTimestamp() {
    // RFC 6817, 2.3: "remote_timestamp = data_packet.timestamp; acknowledgement.delay =
    // local_timestamp() - remote_timestamp"
    assertThat(Timestamps.difference(1_030_000, 1_000_000)).isEqualTo(30_000);
  }

  @Test
  void theDifferenceIsModuloTwoToThe32() {
    // BEP 29, timestamp_difference_microseconds: "This is the difference between the local time and
    // the timestamp in the last received packet"
    // The receiver's clock has just wrapped, the sender's stamp is from before.
    assertThat(Timestamps.difference(5, 0xffff_fffb)).isEqualTo(10);
    // The receiver's clock is behind: the delay is negative and stays so.
    assertThat(Timestamps.difference(1_000, 3_000)).isEqualTo(-2_000);
    assertThat(Timestamps.difference(Integer.MIN_VALUE, Integer.MAX_VALUE)).isEqualTo(1);
  }

  @Test
  void theClockIsCutToItsLowest32Bits() {
    // BEP 29, timestamp_microseconds: "This is the 'microseconds' parts of the timestamp of when
    // this packet was sent."
    assertThat(Timestamps.toWire(0x1_2345_6789_abcdL)).isEqualTo(0x6789_abcd);
    assertThat(Timestamps.toWire(-1)).isEqualTo(-1);
    assertThat(Timestamps.toWire(1L << 32)).isZero();
  }
}

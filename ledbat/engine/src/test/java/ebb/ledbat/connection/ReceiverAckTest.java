package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a receiver acknowledges at once although packets come fast. */
class ReceiverAckTest {
  private static final int PAYLOAD = 1_000;

  private final Receiver receiver = new Receiver(1 << 24, new ChunkPool(1 << 25), null);
  private long nowMicros;
  private int next;

  private boolean isAcknowledgedAtOnce(int seqNr, int payloadBytes) {
    nowMicros += 10;
    ByteBuffer datagram = ByteBuffer.allocate(Packet.HEADER_BYTES + payloadBytes);
    new PacketWriter().begin(datagram, PacketType.ST_DATA, 1, 0, 0, 0, seqNr, 0);
    Packet packet = new Packet();
    assertThat(packet.decode(datagram, 0, datagram.capacity())).isNull();
    receiver.onPacket(packet, nowMicros);
    boolean pending = receiver.ackPending();
    if (pending) {
      receiver.onAckSent();
    }
    return pending;
  }

  /** After it, 15 of 16 full packets in order wait. */
  @BeforeEach
  void packetsComeFast() {
    receiver.start(0);
    while (next < 500 || !isAcknowledgedAtOnce(next++, PAYLOAD)) {
      if (next < 500) {
        isAcknowledgedAtOnce(next++, PAYLOAD);
      }
    }
    assertThat(isAcknowledgedAtOnce(next++, PAYLOAD)).isFalse();
  }

  @Test
  void packetsOutOfOrder() {
    // RFC 5681, 4.2: "Out-of-order data segments SHOULD be acknowledged immediately"
    assertThat(isAcknowledgedAtOnce(next + 1, PAYLOAD)).isTrue();
    assertThat(isAcknowledgedAtOnce(next + 2, PAYLOAD)).isTrue();
  }

  @Test
  void packetsThatFillAGap() {
    // RFC 5681, 4.2: "the receiver SHOULD send an immediate ACK when it receives a data segment
    // that fills in all or part of a gap in the sequence space."
    isAcknowledgedAtOnce(next + 1, PAYLOAD);
    isAcknowledgedAtOnce(next + 3, PAYLOAD);
    assertThat(isAcknowledgedAtOnce(next, PAYLOAD)).as("a part of it").isTrue();
    assertThat(isAcknowledgedAtOnce(next + 2, PAYLOAD)).as("all of it").isTrue();
  }

  @Test
  void packetsThatCameBeforeAndSmallOnes() {
    assertThat(isAcknowledgedAtOnce(next - 1, PAYLOAD)).isTrue();
    assertThat(isAcknowledgedAtOnce(next, PAYLOAD - 1)).isTrue();
  }

  @Test
  void packetsThatAClosedWindowCannotTake() {
    // RFC 9293, 3.8.6.1: "it must still send an acknowledgment showing its next expected sequence
    // number and current window (zero)."
    receiver.read(ByteBuffer.allocate(1 << 24));
    while (receiver.windowBytes() >= PAYLOAD) {
      isAcknowledgedAtOnce(next++, PAYLOAD);
    }
    int ackNr = receiver.ackNr();
    assertThat(isAcknowledgedAtOnce(next, PAYLOAD)).isTrue();
    assertThat(receiver.ackNr()).isEqualTo(ackNr);
    assertThat(receiver.windowBytes()).isLessThan(PAYLOAD);
  }
}

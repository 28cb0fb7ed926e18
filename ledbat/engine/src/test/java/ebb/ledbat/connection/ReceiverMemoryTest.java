package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a receiver does when the endpoint's memory is short. */
final class ReceiverMemoryTest {
  private static final int PAYLOAD = 1_000;
  private static final int CHUNKS = 8;

  private final ChunkPool pool = new ChunkPool((long) CHUNKS * ChunkPool.CHUNK_BYTES);
  private final Receiver receiver = new Receiver(1 << 20, pool, null);

  private boolean receive(int seqNr) {
    ByteBuffer datagram = ByteBuffer.allocate(Packet.HEADER_BYTES + PAYLOAD);
    new PacketWriter().begin(datagram, PacketType.ST_DATA, 1, 0, 0, 0, seqNr, 0);
    Packet packet = new Packet();
    assertThat(packet.decode(datagram, 0, datagram.capacity())).isNull();
    return receiver.onPacket(packet, 0);
  }

  /** It had been acknowledged selectively, so that its sender would not have sent it again. */
  @Test
  void aPacketThatWaitedInReorderingIsKeptUntilThereIsRoomForIt() {
    receiver.start(100);
    assertThat(receive(101)).isFalse();
    // Others leave room for the packet that is missed, but for no more.
    for (int i = 0; i < 5; i++) {
      assertThat(pool.take(0)).isNotNull();
    }
    assertThat(receive(100)).isTrue();
    assertThat(receiver.readableBytes()).isEqualTo(PAYLOAD);
    assertThat(receiver.ackNr()).isEqualTo(100);
    receiver.read(ByteBuffer.allocate(PAYLOAD));
    assertThat(receiver.drainWaiting()).isTrue();
    assertThat(receiver.readableBytes()).isEqualTo(PAYLOAD);
    assertThat(receiver.ackNr()).isEqualTo(101);
    assertThat(receiver.ackPending()).isTrue();
    assertThat(receiver.hasGap()).isFalse();
  }

  /** All memory went to packets behind it, and it could never be taken. */
  @Test
  void packetsThatWaitLeaveRoomForTheOneThatIsMissed() {
    receiver.start(100);
    for (int seqNr = 101; seqNr < 101 + 200; seqNr++) {
      receive(seqNr);
    }
    assertThat(receive(100)).isTrue();
    assertThat(receiver.readableBytes()).isGreaterThanOrEqualTo(PAYLOAD);
  }

  /** The update was due at a quarter of a receive buffer that was larger than all memory. */
  @Test
  void aWindowThatMemoryClosedIsAnnouncedWhenReadingOpensIt() {
    // RFC 9293, 3.8.6.2.2: "A TCP implementation MUST include a SWS avoidance algorithm in the
    // receiver (MUST-39)."
    // BEP 29, wnd_size: "When sending packets, this should be set to the number of bytes left in
    // the socket's receive buffer."
    receiver.start(0);
    for (int seqNr = 0; receiver.windowBytes() >= PAYLOAD; seqNr++) {
      assertThat(receive(seqNr)).isTrue();
    }
    receiver.advertise(0);
    receiver.onAckSent();
    receiver.read(ByteBuffer.allocate(1 << 20));
    assertThat(receiver.windowBytes()).isGreaterThan(3L * ChunkPool.CHUNK_BYTES);
    assertThat(receiver.ackPending()).isTrue();
  }
}

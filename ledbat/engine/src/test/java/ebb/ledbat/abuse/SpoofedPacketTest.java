package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What an attacker can do who knows both addresses and the connection id but sees no packet: how
 * many of the 65,536 values of ack_nr and seq_nr are accepted is what it has to guess.
 */
class SpoofedPacketTest {
  private static final long SECOND = 1_000_000;

  private final World world = new World(1, LedbatConfig.defaults(), 2_000_000, 0);

  /** The newest datagram of each side. */
  private byte[] fromLeft = {};

  private byte[] fromRight = {};

  private void watch() {
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.LEFT)) {
            fromLeft = datagram;
          } else {
            fromRight = datagram;
          }
          return true;
        };
  }

  /** A connection in which all was acknowledged and nobody speaks. */
  private void idle() {
    world.client = new StreamPeer(() -> world.pair.nowMicros, 2_000_000, false);
    watch();
    world.connect();
    assertThat(world.pair.runUntil(30 * SECOND, () -> world.server.read == 2_000_000)).isTrue();
    world.pair.run(SECOND / 2);
  }

  private void giveLeft(byte[] datagram) {
    world.pair.left.receive(
        EndpointPair.RIGHT, ByteBuffer.wrap(datagram), datagram.length, world.pair.nowMicros);
  }

  private void giveRight(byte[] datagram) {
    world.pair.right.receive(
        EndpointPair.LEFT, ByteBuffer.wrap(datagram), datagram.length, world.pair.nowMicros);
  }

  /** When a transfer ends, and how many packets were sent again or lost. */
  private static List<Long> result(boolean attacked) {
    World world = new World(7, LedbatConfig.defaults(), 3_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    byte[][] newest = {new byte[20], new byte[20]};
    world.pair.tap =
        (from, datagram) -> {
          newest[from.equals(EndpointPair.LEFT) ? 0 : 1] = datagram;
          return true;
        };
    world.connect();
    world.pair.run(SECOND / 2);
    for (int round = 0; round < 50 && attacked; round++) {
      world.pair.run(SECOND / 50);
      int toRight = Forge.connectionId(newest[0]);
      int toLeft = Forge.connectionId(newest[1]);
      // Everything but what is in flight (some hundred) and 1,024 older ones.
      for (int away = 2_000; away < 64_000; away += 1_000) {
        int ackOfLeft = (Forge.seqNr(newest[0]) + away) & 0xffff;
        int ackOfRight = (Forge.seqNr(newest[1]) + away) & 0xffff;
        for (PacketType type : PacketType.values()) {
          if (type == PacketType.ST_SYN) {
            continue; // Opens a connection beside, whose answer takes its time on the link.
          }
          int next = Forge.seqNr(newest[0]) + 1 & 0xffff;
          world.pair.inject(EndpointPair.RIGHT, Forge.packet(type, toLeft, next, ackOfLeft, 100));
          world.pair.inject(EndpointPair.LEFT, Forge.packet(type, toRight, next, ackOfRight, 100));
        }
      }
    }
    assertThat(
            world.pair.runUntil(
                60 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
    if (attacked) {
      assertThat(world.pair.left.stats().dropped().implausible()).isGreaterThan(50 * 62 * 3);
      assertThat(world.pair.right.stats().dropped().implausible()).isGreaterThan(50 * 62 * 3);
    }
    return new ArrayList<>(
        List.of(
            world.pair.nowMicros,
            world.client.connection.stats(0).packetsRetransmitted(),
            world.client.connection.stats(0).losses()));
  }

  @Test
  void aFloodOfPacketsOutsideTheWindowChangesNothingAtAll() {
    // The same to the microsecond, with as many packets sent again: none.
    assertThat(result(true)).isEqualTo(result(false));
  }

  @Test
  void ofAllAckNumbers1026AreAcceptedOnAnIdleConnection() {
    // RFC 5961, 5.2: "The ACK value is considered acceptable only if it is in the range of
    // ((SND.UNA - MAX.SND.WND) <= SEG.ACK <= SND.NXT)."
    idle();
    long before = world.pair.left.stats().dropped().implausible();
    int id = Forge.connectionId(fromRight);
    for (int ackNr = 0; ackNr <= 0xffff; ackNr++) {
      giveLeft(Forge.packet(PacketType.ST_STATE, id, Forge.seqNr(fromRight), ackNr, 0));
    }
    long accepted = 65_536 - (world.pair.left.stats().dropped().implausible() - before);
    // 1,024 that packets which were overtaken may carry, libutp's keepalive, and the current one.
    assertThat(accepted).isEqualTo(1_026);
  }

  @Test
  void ofAllAckNumbersOfAResetTwoAreAcceptedOnAnIdleConnection() {
    // RFC 5961, 3.2: "If the RST bit is set and the sequence number exactly matches the next
    // expected sequence number (RCV.NXT), then TCP MUST reset the connection."
    idle();
    int id = Forge.connectionId(fromRight);
    int newest = Forge.seqNr(fromLeft);
    for (int away = 0; away <= 0xffff; away++) {
      int ackNr = (newest + away) & 0xffff;
      if (away > 1) {
        giveLeft(Forge.packet(PacketType.ST_RESET, id, 1, ackNr, 0));
        assertThat(world.client.connection.isClosed()).as("ack_nr %d", ackNr).isFalse();
      }
    }
    giveLeft(Forge.packet(PacketType.ST_RESET, id, 1, newest, 0));
    assertThat(world.client.connection.isClosed()).isTrue();
  }

  @Test
  void ofAllSequenceNumbersOfDataAQuarterIsAcceptedAndOnlyWithAnAcceptableAck() {
    idle();
    int id = Forge.connectionId(fromLeft);
    int ackNr = (Forge.seqNr(fromRight) - 1) & 0xffff;
    long before = world.pair.right.stats().bufferedBytes();
    for (int seqNr = 0; seqNr <= 0xffff; seqNr++) {
      giveRight(Forge.packet(PacketType.ST_DATA, id, seqNr, ackNr + 1 & 0xffff, 1));
      giveRight(Forge.packet(PacketType.ST_DATA, id, seqNr, ackNr - 1_026 & 0xffff, 1));
    }
    assertThat(world.pair.right.stats().bufferedBytes()).isEqualTo(before);
    assertThat(world.server.connection.stats(0).bytesReceived()).isEqualTo(2_000_000);
    int next = (Forge.ackNr(fromRight) + 1) & 0xffff;
    long duplicates = world.server.connection.stats(0).packetsDuplicate();
    int kept = 0;
    for (int away = 1; away <= 0xffff; away++) {
      long held = world.pair.right.stats().bufferedBytes();
      int seqNr = (next + away) & 0xffff;
      giveRight(Forge.packet(PacketType.ST_DATA, id, seqNr, ackNr, 1));
      kept += world.pair.right.stats().bufferedBytes() > held ? 1 : 0;
    }
    assertThat(kept).isEqualTo(16_383);
    assertThat(world.server.connection.stats(0).packetsDuplicate() - duplicates)
        .as("old ones are acknowledged again and dropped")
        .isEqualTo(32_768);
  }
}

package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.MalformedReason;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What an endpoint does with packets that no honest peer sends. */
final class ForgedPacketTest {
  private static final long SECOND = 1_000_000;
  private static final InetSocketAddress STRANGER = new InetSocketAddress("10.0.0.9", 9);

  /** The last data packet and the last acknowledgement seen on a link. */
  private static final class Spy implements EndpointPair.Tap {
    final Packet data = new Packet();
    final Packet ack = new Packet();

    @Override
    public boolean pass(InetSocketAddress from, byte[] datagram) {
      Packet packet = from.equals(EndpointPair.LEFT) ? data : ack;
      packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length);
      return true;
    }
  }

  private final Spy spy = new Spy();
  private final World world = new World(1, LedbatConfig.defaults(), 5_000_000, 0);

  private void runSomeWay() {
    world.pair.rateBytesPerSecond = 1_250_000;
    world.pair.tap = spy;
    world.connect();
    world.pair.run(SECOND);
    assertThat(world.server.read).isBetween(1L, 4_000_000L);
  }

  private void assertUndisturbed() {
    assertThat(
            world.pair.runUntil(
                60 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
  }

  @Test
  void malformedDatagramsAreCountedByReasonAndDropped() {
    runSomeWay();
    String[] hex = {
      "", // nothing at all
      "0100", // truncated
      "0200000100000000000000000000000000000000", // version 2
      "5100000100000000000000000000000000000000", // type 5
      "0101000100000000000000000000000000000000" + "00ff", // extension overruns
      "0101000100000000000000000000000000000000" + "0000", // selective ack of 0 bytes
      "0102000100000000000000000000000000000000" + "000101", // extension bits of 1 byte
    };
    for (String datagram : hex) {
      world.pair.inject(STRANGER, HexFormat.of().parseHex(datagram));
      world.pair.inject(EndpointPair.LEFT, HexFormat.of().parseHex(datagram));
    }
    world.pair.run(SECOND / 10);
    assertThat(world.pair.right.stats().dropped().malformed())
        .containsEntry(MalformedReason.TRUNCATED_HEADER, 4L)
        .containsEntry(MalformedReason.BAD_VERSION, 2L)
        .containsEntry(MalformedReason.BAD_TYPE, 2L)
        .containsEntry(MalformedReason.EXTENSION_OVERRUN, 2L)
        .containsEntry(MalformedReason.BAD_SELECTIVE_ACK, 2L)
        .containsEntry(MalformedReason.BAD_EXTENSION_LENGTH, 2L);
    assertUndisturbed();
  }

  @Test
  void acksOfDataNeverSentAreIgnored() {
    // RFC 5961, 5.2: "All incoming segments whose ACK value doesn't satisfy the above condition
    // MUST be discarded"
    runSomeWay();
    int id = spy.ack.connectionId();
    for (int ahead = 2_000; ahead < 32_000; ahead += 500) {
      int ackNr = (spy.data.seqNr() + ahead) & 0xffff;
      injectToLeft(Forge.packet(PacketType.ST_STATE, id, 1, ackNr, 0));
    }
    assertThat(world.pair.left.stats().dropped().implausible()).isEqualTo(60);
    assertUndisturbed();
  }

  @Test
  void resetsThatDoNotKnowTheSequenceNumbersAreIgnored() {
    // RFC 5961, 3.2: "If the RST bit is set and the sequence number is outside the current receive
    // window, silently drop the segment."
    runSomeWay();
    int id = spy.ack.connectionId();
    for (int ahead = 2_000; ahead < 60_000; ahead += 500) {
      injectToLeft(
          Forge.packet(PacketType.ST_RESET, id, 1, (spy.data.seqNr() + ahead) & 0xffff, 0));
    }
    assertThat(world.client.closedCalls).isZero();
    assertUndisturbed();
  }

  @Test
  void dataAndFinsFarOutsideTheWindowAreIgnored() {
    runSomeWay();
    int id = spy.data.connectionId();
    for (int ahead = 17_000; ahead < 32_000; ahead += 500) {
      int seqNr = (spy.data.seqNr() + ahead) & 0xffff;
      // The ack_nr is right, so that it is the seq_nr that gives them away.
      int ackNr = (spy.ack.seqNr() - 1) & 0xffff;
      world.pair.inject(EndpointPair.LEFT, Forge.packet(PacketType.ST_DATA, id, seqNr, ackNr, 100));
      world.pair.inject(EndpointPair.LEFT, Forge.packet(PacketType.ST_FIN, id, seqNr, ackNr, 0));
    }
    world.pair.run(SECOND / 100);
    assertThat(world.server.peerFinished).isZero();
    assertUndisturbed();
  }

  @Test
  void aStrangerGetsOneResetOfItsOwnSizeAtMostAndNoConnection() {
    int[] answers = {0};
    world.pair.tap =
        (from, datagram) -> {
          answers[0] += datagram.length;
          return true;
        };
    for (int i = 0; i < 1_000; i++) {
      world.pair.inject(STRANGER, Forge.packet(PacketType.ST_DATA, i, 1, 1, 0));
    }
    world.pair.run(SECOND / 100);
    assertThat(answers[0]).isLessThanOrEqualTo(200 * 20).isPositive();
    assertThat(world.pair.right.stats().resetsSuppressed()).isGreaterThan(700);
    assertThat(world.pair.right.connectionCount()).isZero();
  }

  @Test
  void aSynIsAnsweredWithNoMoreThanItsSizeUntilTheAddressIsProven() {
    LedbatConfig small = LedbatConfig.defaults().toBuilder().maxHalfOpen(50).build();
    EndpointPair pair =
        new EndpointPair(
            1,
            small,
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                throw new AssertionError("nobody proved an address");
              }
            });
    long[] bytes = {0, 0};
    pair.tap =
        (from, datagram) -> {
          bytes[1] += datagram.length;
          return true;
        };
    for (int i = 0; i < 5_000; i++) {
      byte[] syn = Forge.packet(PacketType.ST_SYN, i & 0xffff, i, 0, 0);
      bytes[0] += syn.length;
      pair.inject(new InetSocketAddress("10.1." + i / 250 + "." + i % 250, 1_000 + i), syn);
    }
    pair.run(30 * SECOND);
    assertThat(bytes[1]).isPositive().isLessThanOrEqualTo(bytes[0]);
    assertThat(pair.right.stats().halfOpenEvicted()).isEqualTo(5_000 - 50);
    assertThat(pair.right.connectionCount()).as("given up after the time-out").isZero();
    assertThat(pair.right.stats().listenerFailures()).isZero();
  }

  @Test
  void connectionsBeyondTheCapAreRefused() {
    LedbatConfig one = LedbatConfig.defaults().toBuilder().maxHalfOpen(1).maxConnections(1).build();
    World first = new World(3, one, 5_000_000, 0);
    first.pair.rateBytesPerSecond = 1_250_000;
    first.connect();
    first.pair.run(SECOND);
    StreamPeer second = new StreamPeer(() -> first.pair.nowMicros, 10, true);
    second.start(first.pair.left.connect(EndpointPair.RIGHT, second, first.pair.nowMicros));
    first.pair.run(SECOND);
    assertThat(second.closed).isEqualTo(CloseReason.NO_RESOURCES);
    assertThat(first.client.closedCalls).isZero();
  }

  private void injectToLeft(byte[] datagram) {
    ByteBuffer buffer = ByteBuffer.wrap(datagram);
    world.pair.left.receive(
        EndpointPair.RIGHT, buffer, Math.max(1, datagram.length), world.pair.nowMicros);
  }
}

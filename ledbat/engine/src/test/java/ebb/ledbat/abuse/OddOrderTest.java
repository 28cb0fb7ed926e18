package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets that are well formed and come at a time at which no honest peer would send them. */
class OddOrderTest {
  private static final long SECOND = 1_000_000;
  private static final int ID = 7;
  private static final int SYN_SEQ_NR = 100;

  private final StringBuilder read = new StringBuilder();
  private int peerFinished;
  private final LoneEndpoint acceptor =
      new LoneEndpoint(
          LedbatConfig.defaults(),
          new EndpointListener() {
            @Override
            public void onAccepted(LedbatConnection connection) {
              connection.setListener(new Reader());
            }
          });

  /** The ack_nr of a peer that has received nothing. */
  private int ackNr;

  private final class Reader implements ConnectionListener {
    @Override
    public void onReadable(LedbatConnection connection) {
      ByteBuffer target = ByteBuffer.allocate(1_000);
      connection.read(target, acceptor.nowMicros);
      target.flip();
      while (target.hasRemaining()) {
        read.append((char) target.get());
      }
    }

    @Override
    public void onPeerFinished(LedbatConnection connection) {
      peerFinished++;
    }
  }

  /** A connection on which "a" has been received, with number 101. */
  private void open() {
    acceptor.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, ID, SYN_SEQ_NR, 0, 0));
    ackNr = (Forge.seqNr(acceptor.take().get(0)) - 1) & 0xffff;
    assertThat(give(data(101, "a"))).isEqualTo(101);
    assertThat(read).hasToString("a");
  }

  private byte[] data(int seqNr, String text) {
    byte[] payload = text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    return Forge.packet(PacketType.ST_DATA, ID + 1, seqNr, ackNr, 1 << 20, payload);
  }

  private byte[] fin(int seqNr) {
    return Forge.packet(PacketType.ST_FIN, ID + 1, seqNr, ackNr, 0);
  }

  /** The ack_nr of the answer, -1 when there is none. */
  private int give(byte[] datagram) {
    acceptor.give(LoneEndpoint.PEER, datagram);
    List<byte[]> answers = acceptor.take();
    return answers.isEmpty() ? -1 : Forge.ackNr(answers.get(answers.size() - 1));
  }

  @Test
  void dataOfNoBytesIsAcknowledgedAndPassed() {
    // BEP 29, ack_nr: "This is the sequence number the sender of the packet last received in the
    // other direction."
    open();
    assertThat(give(data(102, ""))).isEqualTo(102);
    assertThat(give(data(104, ""))).isEqualTo(102);
    assertThat(give(data(103, "b"))).isEqualTo(104);
    assertThat(give(data(105, "c"))).isEqualTo(105);
    assertThat(read).hasToString("abc");
  }

  @Test
  void dataAfterTheFinIsIgnored() {
    // BEP 29, type: "This connection will never have a sequence number greater than the sequence
    // number in this packet."
    // BEP 29, type: "This lets the socket wait for packets that might still be missing and arrive
    // out of order even after receiving the ST_FIN packet."
    open();
    assertThat(give(fin(103))).isEqualTo(101);
    assertThat(give(data(104, "x"))).isEqualTo(-1);
    assertThat(give(data(102, "b"))).isEqualTo(103);
    assertThat(give(data(104, "x"))).isEqualTo(-1);
    assertThat(give(data(105, "x"))).isEqualTo(-1);
    assertThat(read).hasToString("ab");
    assertThat(peerFinished).isEqualTo(1);
  }

  @Test
  void aFinBelowDataThatHasArrivedIsNoEnd() {
    open();
    assertThat(give(data(104, "d"))).isEqualTo(101);
    assertThat(give(fin(103))).isEqualTo(101);
    assertThat(give(data(102, "b"))).isEqualTo(104);
    assertThat(read).hasToString("abd");
    assertThat(peerFinished).isZero();
    assertThat(give(fin(105))).isEqualTo(105);
    assertThat(peerFinished).isEqualTo(1);
  }

  @Test
  void ofTwoFinsTheFirstCounts() {
    open();
    assertThat(give(fin(104))).isEqualTo(101);
    assertThat(give(fin(106))).as("beyond the end").isEqualTo(-1);
    assertThat(give(fin(103))).as("before the end").isEqualTo(101);
    assertThat(give(data(102, "b"))).isEqualTo(104);
    assertThat(give(fin(106))).isEqualTo(-1);
    assertThat(read).hasToString("ab");
    assertThat(peerFinished).isEqualTo(1);
  }

  @Test
  void aSynInTheMiddleOfAConnectionIsAnsweredWhenItIsTheOldOneAndIgnoredOtherwise() {
    // BEP 29, connection setup: "the connection attempt will fails, since the ST_SYN packet will be
    // unexpected in the existing stream, and ignored."
    open();
    byte[] syn = Forge.packet(PacketType.ST_SYN, ID, SYN_SEQ_NR, 0, 0);
    acceptor.give(LoneEndpoint.PEER, syn);
    assertThat(acceptor.take()).singleElement().satisfies(a -> assertThat(a).hasSize(20));
    byte[] other = Forge.packet(PacketType.ST_SYN, ID, SYN_SEQ_NR + 1, 0, 0);
    acceptor.give(LoneEndpoint.PEER, other);
    assertThat(acceptor.take()).isEmpty();
    assertThat(acceptor.endpoint.connectionCount()).isEqualTo(1);
    assertThat(give(data(102, "b"))).isEqualTo(102);
    assertThat(read).hasToString("ab");
  }

  @Test
  void aSynWithTheSameIdFromAnotherAddressIsAnotherConnection() {
    open();
    InetSocketAddress other = new InetSocketAddress("10.0.0.4", 1003);
    acceptor.give(other, Forge.packet(PacketType.ST_SYN, ID, SYN_SEQ_NR, 0, 0));
    assertThat(acceptor.take()).hasSize(1);
    assertThat(acceptor.endpoint.connectionCount()).isEqualTo(2);
    assertThat(acceptor.endpoint.stats().halfOpen()).isEqualTo(1);
    assertThat(give(data(102, "b"))).isEqualTo(102);
    assertThat(read).hasToString("ab");
    acceptor.run(20 * SECOND);
    assertThat(acceptor.endpoint.connectionCount()).as("never proven").isEqualTo(1);
  }

  @Test
  void bothSidesMayDialAtOnceEvenWithTheSameIdAndGetTwoConnections() {
    for (boolean sameIds : new boolean[] {false, true}) {
      StreamPeer[] accepted = new StreamPeer[2];
      EndpointPair[] pair = new EndpointPair[1];
      EndpointListener[] acceptors = new EndpointListener[2];
      for (int side = 0; side < 2; side++) {
        int index = side;
        accepted[side] = new StreamPeer(() -> pair[0].nowMicros, 200_000, true);
        acceptors[side] =
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                connection.setListener(accepted[index]);
                accepted[index].start(connection);
              }
            };
      }
      pair[0] =
          new EndpointPair(
              1,
              LedbatConfig.defaults(),
              LedbatConfig.defaults(),
              acceptors[0],
              acceptors[1],
              sameIds ? () -> 12_345 << 1 : null);
      StreamPeer left = new StreamPeer(() -> pair[0].nowMicros, 100_000, true);
      StreamPeer right = new StreamPeer(() -> pair[0].nowMicros, 100_000, true);
      left.start(pair[0].left.connect(EndpointPair.RIGHT, left, pair[0].nowMicros));
      right.start(pair[0].right.connect(EndpointPair.LEFT, right, pair[0].nowMicros));
      List<StreamPeer> all = List.of(left, right, accepted[0], accepted[1]);
      assertThat(
              pair[0].runUntil(
                  30 * SECOND, () -> all.stream().allMatch(peer -> peer.closedCalls == 1)))
          .isTrue();
      assertThat(all).allSatisfy(p -> assertThat(p.closed).isEqualTo(CloseReason.FINISHED));
      assertThat(all)
          .extracting(p -> p.read)
          .containsExactly(200_000L, 200_000L, 100_000L, 100_000L);
      assertThat(all).allSatisfy(p -> assertThat(p.mismatches).isZero());
    }
  }

  @Test
  void bothSidesMayCloseAtOnce() {
    World world = new World(1, LedbatConfig.defaults(), 0, 0);
    world.client = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
    world.server = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
    world.connect();
    assertThat(
            world.pair.runUntil(
                SECOND, () -> world.client.read == 1_000 && world.server.read == 1_000))
        .isTrue();
    world.pair.run(SECOND);
    world.client.connection.finish(world.pair.nowMicros);
    world.server.connection.finish(world.pair.nowMicros);
    world.pair.run(21_000);
    world.assertDelivered();
    assertThat(world.client.connection.stats(0).packetsRetransmitted()).isZero();
    world.pair.run(10 * SECOND);
    assertThat(world.pair.left.connectionCount() + world.pair.right.connectionCount()).isZero();
  }
}

package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.fuzz.ModelPeer.PacketHeader;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What random peers and fuzzing found in the engine, each as the shortest story that shows it. */
final class FindingsTest {
  private static final long SECOND = 1_000_000;
  private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.1", 1);

  private final Rig rig = new Rig(1, LedbatConfig.defaults(), 1_000 * SECOND);
  private final PacketWriter writer = new PacketWriter();
  private final ByteBuffer out = ByteBuffer.allocate(1_500);

  private PacketHeader header(long windowBytes) {
    return new PacketHeader((int) rig.nowMicros - 10_000, 10_000, windowBytes);
  }

  /** Opens a connection from Ebb's side to a peer that answers with this window. */
  private ModelPeer connect(long windowBytes) {
    rig.connect(PEER, 100, false, 1);
    rig.cycle();
    ModelPeer peer = rig.peers.get(0);
    out.clear();
    peer.writeSynAck(header(windowBytes), out, writer);
    rig.receive(PEER, out.flip(), out.limit());
    rig.cycle();
    return peer;
  }

  private void acknowledge(ModelPeer peer) {
    peer.receiveAll();
    out.clear();
    peer.writeState(header(1 << 20), out, writer);
    rig.receive(PEER, out.flip(), out.limit());
    rig.cycle();
  }

  /** The first probe was due in the past: it went at once, or a driver was called again at once. */
  @Test
  void aClosedWindowIsProbedAfterARetransmissionTimeout() {
    // RFC 9293, 3.8.6.1: "The transmitting host SHOULD send the first zero-window probe when a zero
    // window has existed for the retransmission timeout period"
    ModelPeer peer = connect(0);
    rig.apps.get(0).write(1_000);
    rig.cycle();
    rig.advance(SECOND - 1);
    assertThat(peer.ebbSentBytes()).isZero();
    rig.advance(1);
    assertThat(peer.ebbSentBytes()).isEqualTo(1);
  }

  /** The round trip was taken for hours, and the pacer sent a packet every few minutes. */
  @Test
  void aHostThatSleptGoesOnSendingAfterwards() {
    ModelPeer peer = connect(1 << 20);
    ModelApp app = rig.apps.get(0);
    app.write(20_000);
    rig.cycle();
    rig.nowMicros += 7_200 * SECOND;
    acknowledge(peer);
    for (int i = 0; i < 6_000 && peer.ebbSentBytes() < 20_000; i++) {
      rig.advance(SECOND / 50);
      acknowledge(peer);
    }
    assertThat(peer.ebbSentBytes()).as("within two minutes").isEqualTo(20_000);
  }

  /** It was never sent again, and the connection timed out. */
  @Test
  void whatAPeerDroppedAfterAcknowledgingItSelectivelyIsSentAgain() {
    // RFC 2018, 5: "whether or not the SACKed bit is on for that segment."
    ModelPeer peer = connect(1 << 20);
    ModelApp app = rig.apps.get(0);
    app.write(2 * 1_180); // Two packets of the initial datagram size.
    rig.cycle();
    int first = peer.ackNr() - 1; // The model has received both.
    assertThat(peer.receivedInOrder).isEqualTo(2);
    out.clear();
    header(1 << 20)
        .begin(writer, out, PacketType.ST_STATE, peer.idToEbb, peer.nextSeqNr(), first - 1);
    writer.setSelectiveAckBit(writer.selectiveAck(4), 0);
    rig.receive(PEER, out.flip(), out.limit());
    out.clear();
    header(1 << 20).begin(writer, out, PacketType.ST_STATE, peer.idToEbb, peer.nextSeqNr(), first);
    rig.receive(PEER, out.flip(), out.limit());
    rig.cycle();
    assertThat(stats(app).packetsRetransmitted()).isZero();
    rig.advance(2 * SECOND);
    assertThat(stats(app).packetsRetransmitted()).isPositive();
    acknowledge(peer);
    assertThat(stats(app).bytesAcked()).as("nothing counts twice").isEqualTo(2 * 1_180);
    assertThat(stats(app).flightSizeBytes()).isZero();
  }

  private ConnectionStats stats(ModelApp app) {
    return app.connection.stats(rig.nowMicros);
  }
}

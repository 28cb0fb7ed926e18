package ebb.ledbat.endpoint;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What BEP 29 asks of the packets that are seen on the wire. */
class WireRulesTest {
  private static final long SECOND = 1_000_000;

  /** A packet that one side has sent. */
  private record Sent(boolean byClient, PacketType type, Packet packet, byte[] payload) {}

  private final List<Sent> sent = new ArrayList<>();

  /** Of the client's packets the first ST_DATA from this one on is lost. */
  private int lostFrom = Integer.MAX_VALUE;

  private int lost;

  /** Whether nothing from the server gets through, and the last of its packets that did. */
  private boolean deaf;

  private @Nullable Sent lastAck;

  private World world(long seed, long clientBytes, long serverBytes) {
    World world = new World(seed, LedbatConfig.defaults(), clientBytes, serverBytes);
    world.pair.tap =
        (from, datagram) -> {
          Packet packet = new Packet();
          assertThat(packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length)).isNull();
          byte[] payload = new byte[packet.payloadBytes()];
          packet.datagram().get(packet.payloadOffset(), payload);
          boolean byClient = from.equals(EndpointPair.LEFT);
          Sent now = new Sent(byClient, packet.type(), packet, payload);
          sent.add(now);
          if (!byClient && deaf) {
            return false;
          }
          lastAck = byClient ? lastAck : now;
          if (byClient && packet.type() == PacketType.ST_DATA && sent.size() >= lostFrom) {
            lostFrom = Integer.MAX_VALUE;
            lost = packet.seqNr();
            return false;
          }
          return true;
        };
    return world;
  }

  private List<Sent> of(boolean client, PacketType type) {
    return sent.stream().filter(s -> s.byClient == client && s.type == type).toList();
  }

  @Test
  void theHandshake() {
    // BEP 29, connection setup: "c.conn_id_recv = rand(); c.conn_id_send = c.conn_id_recv + 1"
    // BEP 29, connection setup: "c.receive_conn_id = pkt.conn_id+1; c.send_conn_id = pkt.conn_id"
    // BEP 29, connection_id: "The endpoint initiating the connection decides which ID to use"
    // BEP 29, timestamp_difference_microseconds: "When a socket is newly opened and doesn't have
    // any delay samples yet, this must be set to 0."
    // BEP 29, type: "all subsequent packets sent on this connection (except for re-sends of the
    // ST_SYN) are sent with the connection ID + 1."
    // BEP 29, type: "The other end expects an ST_STATE packet (only an ACK) in response."
    World world = world(1, 10_000, 10_000);
    assertThat(world.runToEnd(20 * SECOND)).isTrue();
    world.assertDelivered();
    Packet syn = sent.get(0).packet;
    assertThat(syn.type()).isEqualTo(PacketType.ST_SYN);
    assertThat(syn.timestampDifferenceMicros()).isZero();
    Sent answer = sent.get(1);
    assertThat(answer.type).isEqualTo(PacketType.ST_STATE);
    assertThat(answer.payload).isEmpty();
    assertThat(answer.packet.ackNr()).isEqualTo(syn.seqNr());
    assertThat(sent.subList(1, sent.size()))
        .allSatisfy(
            s ->
                assertThat(s.packet.connectionId())
                    .isEqualTo((syn.connectionId() + (s.byClient ? 1 : 0)) & 0xffff));
    assertThat(of(true, PacketType.ST_DATA).get(0).packet.seqNr())
        .isEqualTo((syn.seqNr() + 1) & 0xffff);
    assertThat(of(false, PacketType.ST_DATA).get(0).packet.seqNr())
        .as("libutp: the answer did not consume it")
        .isEqualTo(answer.packet.seqNr());
  }

  @Test
  void idsAndFirstNumbersAreRandom() {
    // BEP 29, connection_id: "This is a random, unique, number identifying all the packets"
    // BEP 29, type: "The connection ID is initialized to a random number."
    // BEP 29, type: "The sequence number for the return channel is initialized to a random number."
    Set<Integer> ids = new HashSet<>();
    Set<Integer> answers = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      sent.clear();
      World world = world(seed, 0, 0);
      world.connect();
      world.pair.run(30_000);
      ids.add(sent.get(0).packet.connectionId());
      answers.add(sent.get(1).packet.seqNr());
    }
    assertThat(ids).hasSizeGreaterThan(15);
    assertThat(answers).hasSizeGreaterThan(15);
  }

  @Test
  void numbersGoUpWithPayloadsAndTheFinIsLast() {
    // BEP 29, type: "An ST_DATA packet always has a data payload."
    // BEP 29, type: "Packets that don't include any payload do not increase the seq_nr."
    // BEP 29, type: "This connection will never have a sequence number greater than the sequence
    // number in this packet."
    World world = world(1, 20_000, 20_000); // Of longer streams a packet is withheld.
    assertThat(world.runToEnd(20 * SECOND)).isTrue();
    for (boolean client : new boolean[] {true, false}) {
      List<Sent> data = of(client, PacketType.ST_DATA);
      assertThat(data).allSatisfy(s -> assertThat(s.payload).isNotEmpty());
      int first = data.get(0).packet.seqNr();
      for (int i = 0; i < data.size(); i++) {
        assertThat(data.get(i).packet.seqNr()).isEqualTo((first + i) & 0xffff);
      }
      int fin = of(client, PacketType.ST_FIN).get(0).packet.seqNr();
      assertThat(fin).isEqualTo((first + data.size()) & 0xffff);
    }
  }

  @Test
  void aSelectiveAckIsSentWhenANumberWasSkippedAndOnlyThen() {
    // BEP 29, Selective ACK: "The selective ACK is only sent when at least one sequence number was
    // skipped in the received stream."
    World whole = world(1, 20_000, 0); // Of longer streams a packet is withheld.
    assertThat(whole.runToEnd(20 * SECOND)).isTrue();
    assertThat(sent).noneMatch(s -> s.packet.selectiveAckBits() > 0);
    sent.clear();
    World holed = world(1, 20_000, 0);
    lostFrom = 10;
    assertThat(holed.runToEnd(20 * SECOND)).isTrue();
    assertThat(lostFrom).isEqualTo(Integer.MAX_VALUE);
    assertThat(sent.stream().filter(s -> s.packet.selectiveAckBits() > 0).toList())
        .isNotEmpty()
        .allSatisfy(s -> assertThat((s.packet.ackNr() + 1) & 0xffff).isEqualTo(lost))
        .allSatisfy(s -> assertThat(s.packet.isSelectivelyAcked(0)).isTrue());
    // RFC 2018, 5: "the data sender SHOULD record the selective acknowledgment for future
    // reference."
    // RFC 2018, 5: "the data sender will skip that segment during any later retransmission."
    assertThat(holed.client.connection.stats(0).packetsRetransmitted()).isEqualTo(1);
  }

  @Test
  void aPacketIsAcknowledgedOnceAtMost() {
    // RFC 5681, 4.2: "A TCP receiver MUST NOT generate more than one ACK for every incoming
    // segment"
    World world = world(1, 1_000_000, 0);
    assertThat(world.runToEnd(20 * SECOND)).isTrue();
    long packets = sent.stream().filter(Sent::byClient).count();
    assertThat(of(false, PacketType.ST_STATE)).hasSizeLessThanOrEqualTo((int) packets);
  }

  @Test
  void aResetThatDoesNotKnowTheSynIsIgnored() {
    // RFC 5961, 3.2: "the RST is acceptable if the ACK field acknowledges the SYN."
    World world = world(1, 100, 0);
    deaf = true;
    world.connect();
    world.pair.run(1);
    Packet syn = sent.get(0).packet;
    for (int ackNr : new int[] {syn.seqNr() + 1, syn.seqNr()}) {
      assertThat(world.client.closedCalls).isZero();
      ByteBuffer reset = ByteBuffer.allocate(Packet.HEADER_BYTES);
      new PacketWriter()
          .begin(reset, PacketType.ST_RESET, syn.connectionId(), 0, 0, 0, 7, ackNr & 0xffff);
      world.pair.inject(EndpointPair.RIGHT, reset.array());
      world.pair.run(1);
    }
    assertThat(world.client.closed).isEqualTo(CloseReason.REFUSED);
  }

  @Test
  void whatIsSentAgainIsWhatWasSent() {
    // BEP 29, overview: "This means uTP cannot repackage data when resending it."
    World world = world(1, 1_000_000, 0);
    world.pair.loss = 0.05;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    Map<Integer, byte[]> payloads = new HashMap<>();
    int repeated = 0;
    for (Sent s : of(true, PacketType.ST_DATA)) {
      byte[] before = payloads.putIfAbsent(s.packet.seqNr(), s.payload);
      if (before != null) {
        repeated++;
        assertThat(s.payload).isEqualTo(before);
      }
    }
    assertThat(repeated).isGreaterThan(20);
  }

  @Test
  void onlyProbesAreLargerThanThePathIsKnownToCarry() {
    // RFC 8899, 3: "A PL MUST NOT send a datagram (other than a probe packet) with a size at the PL
    // that is larger than the current PLPMTU."
    World world = world(1, 3_000_000, 0);
    world.pair.mtuBytes = 1_252;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    List<Sent> tooLarge =
        of(true, PacketType.ST_DATA).stream()
            .filter(s -> s.packet.datagramBytes() > world.pair.mtuBytes)
            .toList();
    assertThat(tooLarge).isNotEmpty().allMatch(s -> s.packet.hasExtensionBits());
  }

  @Test
  void threeDuplicateAcksWithoutSelectiveOnesSendTheNextPacketAgain() {
    // RFC 6675, 5: "Retransmit the first data segment presumed dropped -- the segment starting with
    // sequence number HighACK + 1."
    // RFC 5681, 3.2: "The TCP sender SHOULD use the 'fast retransmit' algorithm to detect and
    // repair loss, based on incoming duplicate ACKs."
    // RFC 5681, 3.2: "The lost segment starting at SND.UNA MUST be retransmitted"
    // BEP 29, packet loss: "when receiving 3 duplicate acks, ack_nr + 1 is assumed to have been
    // lost (if a packet with that sequence number has been sent)."
    World world = world(1, 300_000, 0);
    world.connect();
    world.pair.run(170_000);
    deaf = true;
    world.pair.run(25_000); // What was on its way has arrived, and no tail probe is due yet.
    Packet last = requireNonNull(lastAck).packet;
    byte[] duplicate = new byte[Packet.HEADER_BYTES];
    last.datagram().get(0, duplicate);
    int before = of(true, PacketType.ST_DATA).size();
    int missing = (last.ackNr() + 1) & 0xffff;
    assertThat(of(true, PacketType.ST_DATA))
        .filteredOn(s -> s.packet.seqNr() == missing)
        .hasSize(1);
    for (int i = 0; i < 2; i++) {
      world.pair.inject(EndpointPair.RIGHT, duplicate.clone());
      world.pair.run(1);
    }
    assertThat(of(true, PacketType.ST_DATA)).hasSize(before);
    world.pair.inject(EndpointPair.RIGHT, duplicate.clone());
    world.pair.run(1);
    assertThat(of(true, PacketType.ST_DATA).get(before).packet.seqNr()).isEqualTo(missing);
  }
}

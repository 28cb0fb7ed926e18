package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Who is believed to be where it says. */
class AddressProofTest {
  private static final long SECOND = 1_000_000;

  private int accepted;
  private final EndpointListener listener =
      new EndpointListener() {
        @Override
        public void onAccepted(LedbatConnection connection) {
          accepted++;
        }
      };
  private final LoneEndpoint victim = new LoneEndpoint(LedbatConfig.defaults(), listener);

  /** The answer's ack_nr, one less than its seq_nr, is what an initiator acknowledges. */
  private int answer(byte[] syn) {
    victim.give(LoneEndpoint.PEER, syn);
    return Forge.seqNr(victim.sent.get(0).datagram()) - 1 & 0xffff;
  }

  private void give(byte[] datagram) {
    victim.give(LoneEndpoint.PEER, datagram);
  }

  private int halfOpen() {
    return victim.endpoint.stats().halfOpen();
  }

  @Test
  void anEbbIsBelievedForTheRight64BitsAndNothingElse() {
    int ack = answer(Forge.ebbSyn(7, 100));
    long proof = Forge.proof(victim.take().get(0));
    give(Forge.packet(PacketType.ST_DATA, 8, 101, ack, 1)); // Without them: the proof may be lost.
    give(Forge.packet(PacketType.ST_STATE, 8, 101, ack, 0));
    assertThat(accepted).isZero();
    assertThat(victim.take()).isEmpty();
    give(Forge.proving(PacketType.ST_STATE, 8, 101, ack, proof ^ 1L << 63, 0));
    give(Forge.proving(PacketType.ST_STATE, 8, 101, ack ^ 1, proof, 0));
    assertThat(accepted).isZero();
    assertThat(halfOpen()).isEqualTo(1);
    give(Forge.proving(PacketType.ST_DATA, 8, 101, ack, proof, 1));
    assertThat(accepted).isEqualTo(1);
    assertThat(halfOpen()).isZero();
  }

  @Test
  void threeWrongProofsEndAHalfOpenConnection() {
    int ack = answer(Forge.ebbSyn(7, 100));
    long proof = Forge.proof(victim.take().get(0));
    for (long guess = 1; guess <= 3; guess++) {
      assertThat(halfOpen()).isEqualTo(1);
      give(Forge.proving(PacketType.ST_STATE, 8, 101, ack, proof + guess, 0));
    }
    assertThat(halfOpen()).isZero();
    assertThat(victim.take()).isEmpty();
    give(Forge.proving(PacketType.ST_STATE, 8, 101, ack, proof, 0));
    assertThat(accepted).isZero();
  }

  @Test
  void ofThe16BitsThatOtherProgramsCanProveThreeWrongOnesEndAHalfOpenConnection() {
    // BEP 29, connection setup: "c.ack_nr = pkt.seq_nr; c.state = CS_CONNECTED"
    int ack = answer(Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
    victim.take();
    give(Forge.packet(PacketType.ST_DATA, 8, 101, ack + 1, 1));
    give(Forge.packet(PacketType.ST_DATA, 8, 101, ack + 2, 1));
    assertThat(halfOpen()).isEqualTo(1);
    give(Forge.packet(PacketType.ST_DATA, 8, 101, ack, 1));
    assertThat(accepted).as("with the right one").isEqualTo(1);

    LoneEndpoint other = new LoneEndpoint(LedbatConfig.defaults(), listener);
    other.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
    for (int wrong = 1; wrong <= 3; wrong++) {
      assertThat(other.endpoint.connectionCount()).isEqualTo(1);
      other.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_DATA, 8, 101, ack + wrong, 1));
    }
    assertThat(other.endpoint.connectionCount()).isZero();
  }

  /** Who sends from another's address and guesses gets less out of it than he puts in. */
  @Test
  void guessingPutsFewerBytesOutThanIn() {
    SplittableRandom random = new SplittableRandom(7);
    long in = 0;
    long out = 0;
    for (int attempt = 0; attempt < 50_000; attempt++) {
      boolean ebb = attempt % 2 == 0;
      int id = random.nextInt(0x10000);
      byte[] syn = ebb ? Forge.ebbSyn(id, 100) : Forge.packet(PacketType.ST_SYN, id, 100, 0, 0);
      byte[][] guesses = new byte[4][];
      guesses[0] = syn;
      for (int i = 1; i < guesses.length; i++) {
        int ack = random.nextInt(0x10000);
        guesses[i] =
            ebb
                ? Forge.proving(PacketType.ST_STATE, id + 1, 101, ack, random.nextLong(), 0)
                : Forge.packet(PacketType.ST_STATE, id + 1, 101, ack, 0);
      }
      for (byte[] datagram : guesses) {
        in += datagram.length;
        give(datagram);
      }
      for (byte[] sent : victim.take()) {
        out += sent.length;
      }
    }
    assertThat(out).isPositive().isLessThan(in / 2);
    // Each plain SYN had three guesses of 65,536: 1.1 of them hit, on average.
    assertThat(accepted).isLessThanOrEqualTo(5);
  }

  @Test
  void whereOnlyEbbsAreWantedAPlainSynIsRefused() {
    LedbatConfig ebbOnly = LedbatConfig.defaults().toBuilder().ebbOnly(true).build();
    LoneEndpoint strict = new LoneEndpoint(ebbOnly, listener);
    strict.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
    assertThat(strict.take())
        .singleElement()
        .satisfies(a -> assertThat(a).hasSize(20))
        .satisfies(a -> assertThat(Forge.kind(a)).isEqualTo(Forge.RESET));
    assertThat(strict.endpoint.connectionCount()).isZero();

    strict.give(LoneEndpoint.PEER, Forge.ebbSyn(7, 100));
    int ack = Forge.seqNr(strict.take().get(0)) - 1 & 0xffff;
    strict.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
    strict.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_STATE, 8, 101, ack, 0));
    assertThat(strict.take()).as("after a second, plain SYN").isEmpty();
    assertThat(accepted).isZero();
  }

  /** The proof is in every packet until one comes back, so lost ones cost no more than others. */
  @Test
  void lostProofsAreRepeated() {
    for (int lost = 0; lost < 6; lost++) {
      World world = new World(lost, LedbatConfig.defaults(), 50_000, 50_000);
      int[] toLose = {lost};
      world.pair.tap =
          (from, datagram) -> {
            boolean proof = from.equals(EndpointPair.LEFT) && Forge.kind(datagram) != Forge.SYN;
            return !proof || toLose[0]-- <= 0;
          };
      assertThat(world.runToEnd(60 * SECOND)).as("%d lost", lost).isTrue();
      world.assertDelivered();
    }
  }

  @Test
  void anInitiatorThatHasNothingToSayRepeatsItsProofToo() {
    World world = new World(1, LedbatConfig.defaults(), 0, 1_000);
    int[] toLose = {2};
    world.client = new StreamPeer(() -> world.pair.nowMicros, 0, false);
    world.pair.tap =
        (from, datagram) ->
            from.equals(EndpointPair.RIGHT)
                || Forge.kind(datagram) != Forge.STATE
                || toLose[0]-- <= 0;
    world.connect();
    assertThat(world.pair.runUntil(10 * SECOND, () -> world.client.read == 1_000)).isTrue();
    assertThat(toLose[0]).isNegative();
  }

  /** Its SYN is plain from the third try on, so the answer to it has no proof. */
  @Test
  void anInitiatorWhoseFirstAnswersAreLostIsBelievedForAPlainSyn() {
    World world = new World(3, LedbatConfig.defaults(), 10_000, 10_000);
    int[] toLose = {2};
    world.pair.tap = (from, datagram) -> from.equals(EndpointPair.LEFT) || toLose[0]-- <= 0;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
  }

  @Test
  void whereOnlyEbbsAreWantedEverySynAsksForTheProof() {
    LedbatConfig ebbOnly = LedbatConfig.defaults().toBuilder().ebbOnly(true).build();
    World world = new World(3, ebbOnly, 10_000, 10_000);
    int[] toLose = {3};
    world.pair.tap = (from, datagram) -> from.equals(EndpointPair.LEFT) || toLose[0]-- <= 0;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(world.client.closed).isEqualTo(CloseReason.FINISHED);
  }
}

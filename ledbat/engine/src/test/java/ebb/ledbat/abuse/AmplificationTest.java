package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Before a peer has proven its address, an endpoint sends it no more bytes than it got from it. */
class AmplificationTest {
  private static final long SECOND = 1_000_000;

  /** Would speak at once and at length, if it were let. */
  private static final EndpointListener TALKATIVE =
      new EndpointListener() {
        @Override
        public void onAccepted(LedbatConnection connection) {
          connection.write(ByteBuffer.allocate(100_000), 0);
        }
      };

  private final LoneEndpoint victim = new LoneEndpoint(LedbatConfig.defaults(), TALKATIVE);

  @Test
  void aSynIsAnsweredOnceAndNeverAgainByItself() {
    byte[] syn = Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0);
    victim.give(LoneEndpoint.PEER, syn);
    assertThat(victim.take()).singleElement().satisfies(a -> assertThat(a).hasSize(20));
    victim.run(3_600 * SECOND);
    assertThat(victim.take()).isEmpty();
    assertThat(victim.endpoint.connectionCount()).isZero();
  }

  @Test
  void theExtensionIsInTheAnswerOnlyWhenItWasInTheSynThatIsAnswered() {
    victim.give(LoneEndpoint.PEER, Forge.ebbSyn(7, 100));
    assertThat(victim.take()).singleElement().satisfies(a -> assertThat(a).hasSize(40));
    for (int i = 0; i < 100; i++) {
      victim.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
    }
    assertThat(victim.take()).hasSize(100).allSatisfy(a -> assertThat(a).hasSize(20));
    victim.give(LoneEndpoint.PEER, Forge.ebbSyn(7, 100));
    assertThat(victim.take()).singleElement().satisfies(a -> assertThat(a).hasSize(40));
  }

  @Test
  void aBurstOfSynsIsAnsweredOnce() {
    byte[] syn = Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0);
    victim.give(LoneEndpoint.PEER, syn, syn, syn, syn);
    assertThat(victim.take()).hasSize(1);
  }

  @Test
  void noForgedSequenceGetsMoreBytesOutThanItPutIn() {
    SplittableRandom random = new SplittableRandom(42);
    Map<InetSocketAddress, long[]> bytes = new HashMap<>();
    PacketType[] types = PacketType.values();
    for (int step = 0; step < 200_000; step++) {
      // Few packets from each address: what went unanswered must not cover for what came later.
      int address = step / 16 * 2 + random.nextInt(2);
      InetSocketAddress from =
          new InetSocketAddress("10.4." + (address >> 8) + "." + (address & 0xff), 4);
      // A handful of ids and numbers, so that packets meet connections that others opened.
      int id = random.nextInt(2);
      int seqNr = random.nextInt(2);
      byte[] datagram =
          switch (random.nextInt(3)) {
            case 0 -> Forge.ebbSyn(id, seqNr);
            case 1 -> Forge.packet(PacketType.ST_SYN, id, seqNr, 0, 0);
            default ->
                Forge.packet(
                    types[random.nextInt(types.length)],
                    id,
                    seqNr,
                    random.nextInt(4), // The victim's numbers are random; 4 of 65,536 are tried.
                    random.nextInt(3));
          };
      bytes.computeIfAbsent(from, a -> new long[2])[0] += datagram.length;
      victim.give(from, datagram);
      if (random.nextInt(50) == 0) {
        victim.run(random.nextLong(2 * SECOND));
      }
      for (LoneEndpoint.Sent sent : victim.sent) {
        bytes.get(sent.to())[1] += sent.datagram().length;
      }
      victim.sent.clear();
      long[] inAndOut = bytes.get(from);
      assertThat(inAndOut[1]).as("bytes out at step %d", step).isLessThanOrEqualTo(inAndOut[0]);
    }
    victim.run(100 * SECOND);
    assertThat(victim.take()).as("after the forger has stopped").isEmpty();
    assertThat(bytes).hasSizeGreaterThan(20_000);
    assertThat(victim.endpoint.stats().resetsSent()).isPositive();
  }
}

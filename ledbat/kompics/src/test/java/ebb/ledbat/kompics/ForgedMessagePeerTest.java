package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What somebody can make a {@link MessageHub} believe who sends from the address of another. */
class ForgedMessagePeerTest {
  private static final long SECOND = 1_000_000;
  private static final long EBB_BITS = 0x4542_4202_0000_0000L;

  private final VirtualNet net = new VirtualNet(11);
  private final HubNode victim = new HubNode(net, 1, MessageConfig.defaults());
  private final HubNode friend = new HubNode(net, 2, MessageConfig.defaults());
  private final SplittableRandom random = new SplittableRandom(3);
  private long answers;

  private byte[] packet(
      PacketType type,
      int id,
      int seqNr,
      int ackNr,
      boolean syn,
      @Nullable Long proof,
      byte[] payload) {
    ByteBuffer out = ByteBuffer.allocate(200);
    PacketWriter writer =
        new PacketWriter().begin(out, type, id, 1, syn ? 0 : 1, 1 << 20, seqNr, ackNr);
    if (proof != null) {
      if (syn) {
        writer.extensionBits(EBB_BITS);
      }
      writer.proof(proof);
    }
    out.put(payload);
    byte[] datagram = new byte[out.position()];
    out.flip().get(datagram);
    return datagram;
  }

  /** A SYN from there, and as many guesses of what answers it as a half-open connection stands. */
  private void guess(InetSocketAddress from, boolean asEbb, byte[] hello) {
    int id = random.nextInt(0x10000);
    inject(from, packet(PacketType.ST_SYN, id, 1, 0, true, asEbb ? 0L : null, new byte[0]));
    for (int i = 0; i < 3; i++) {
      int ackNr = random.nextInt(0x10000);
      @Nullable Long proof = asEbb ? Long.valueOf(random.nextLong()) : null;
      inject(from, packet(PacketType.ST_DATA, id + 1, 2, ackNr, false, proof, hello));
    }
  }

  private void inject(InetSocketAddress from, byte[] datagram) {
    net.inject(from, victim.address, datagram);
  }

  /** The hello of a run that the friend never had. */
  private static byte[] hello(InetSocketAddress announced) {
    ByteBuffer hello = Frames.hello(announced, 4_711);
    byte[] bytes = new byte[hello.remaining()];
    hello.get(bytes);
    return bytes;
  }

  /** Half of the guesses say that they are of an Ebb, half do not. */
  private void attack(InetSocketAddress from, InetSocketAddress announced) {
    byte[] hello = hello(announced);
    net.passes =
        (sender, to) -> {
          answers += sender.equals(victim.address) ? 1 : 0;
          return true;
        };
    for (int i = 0; i < 60_000; i++) {
      guess(from, i % 2 == 0, hello);
    }
    net.run(SECOND);
  }

  @Test
  void aStrangerWhoGuessesIsNobody() {
    attack(VirtualNet.node(9), VirtualNet.node(9));
    assertThat(victim.hub.sessionCount()).isZero();
    assertThat(answers).isPositive();
  }

  @Test
  void aRestartThatNobodyProvedEndsNoSession() {
    friend.send(victim.address, new byte[] {1});
    net.run(SECOND);
    victim.send(friend.address, new byte[] {2});
    net.run(SECOND);
    assertThat(victim.hub.sessionCount()).isEqualTo(1);
    int established = victim.statuses.size();

    attack(friend.address, friend.address);

    assertThat(victim.hub.sessionCount()).isEqualTo(1);
    assertThat(victim.statuses).hasSize(established);
    friend.send(victim.address, new byte[] {3});
    net.run(SECOND);
    assertThat(victim.received).containsExactly(new byte[] {1}, new byte[] {3});
  }

  /** What is for the announced address goes there, whoever announces it. */
  @Test
  void anAddressThatIsAnnouncedFromElsewhereGetsNoMessages() {
    HubNode liar =
        new HubNode(
            net,
            VirtualNet.node(9),
            friend.address,
            MessageConfig.defaults(),
            LedbatConfig.defaults().toBuilder().ebbOnly(true).build());
    liar.send(victim.address, new byte[] {1});
    net.run(SECOND);
    assertThat(victim.received).containsExactly(new byte[] {1});
    victim.send(friend.address, new byte[] {2});
    net.run(SECOND);
    assertThat(friend.received).containsExactly(new byte[] {2});
    assertThat(liar.received).isEmpty();
  }
}

package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Address;

/** What may wait for whom, and who is remembered. */
class MessagePeersTest {
  private static final Address TO = EbbAddress.of(VirtualNet.node(1));

  private final MessagePeers peers = new MessagePeers(MessageConfig.defaults());

  private static OutgoingMessage message(int bytes) {
    ByteBuf frame = Unpooled.buffer();
    frame.writeZero(OutgoingMessage.HEADROOM_BYTES + bytes);
    return OutgoingMessage.of(TO, frame, null);
  }

  @Test
  void allPrioritiesOfOneAddressHaveOneBoundAsLongAsOneOfThemIsNeeded() {
    int half = (int) (MessageConfig.defaults().maxQueuedBytesPerPeer() / 2);
    OutgoingMessage first = message(half);
    MessagePeer normal = peers.at(TO, Prioritized.NORMAL);
    MessagePeer high = peers.at(TO, Prioritized.HIGHEST);
    assertThat(peers.add(normal, first)).isTrue();
    assertThat(peers.add(high, message(half))).as("with what each costs").isFalse();
    peers.forgetIfUnused(high);
    peers.forgetIfUnused(normal);
    assertThat(peers.all()).as("something waits for it").containsExactly(normal);
    high = peers.at(TO, Prioritized.HIGHEST);
    assertThat(peers.add(high, message(half))).as("the bound is remembered").isFalse();
    peers.left(first);
    assertThat(peers.add(high, message(half))).isTrue();
  }

  @Test
  void whoIsNeededNoMoreLeavesNothing() {
    MessagePeer peer = peers.at(TO, Prioritized.NORMAL);
    OutgoingMessage message = message(10);
    peers.add(peer, message);
    peer.queue.remove();
    peers.left(message);
    peers.forgetIfUnused(peer);
    assertThat(peers.count()).isZero();
    MessagePeer next = peers.at(TO, Prioritized.NORMAL);
    assertThat(next).isNotSameAs(peer);
    assertThat(next.held).isNotSameAs(peer.held);
  }
}

package ebb.ledbat.kompics;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * All whom messages of one {@link MessageHub} are sent to, and how much may wait for them: so much
 * for each address, and so much for all by {@link QueuedBytes}. Which session carries whose
 * messages is the hub's business. Runs in the endpoint's context.
 */
final class MessagePeers {
  private final long maxBytesPerAddress;
  private final QueuedBytes queued;
  private final Map<MessagePeer.Key, MessagePeer> peers = new HashMap<>();
  private final Map<InetSocketAddress, MessagePeer.Held> held = new HashMap<>();

  MessagePeers(MessageConfig config) {
    maxBytesPerAddress = config.maxQueuedBytesPerPeer();
    queued = new QueuedBytes(config.maxQueuedBytes());
  }

  int count() {
    return peers.size();
  }

  /** A copy. */
  List<MessagePeer> all() {
    return List.copyOf(peers.values());
  }

  @Nullable MessagePeer find(InetSocketAddress socket, int priority) {
    return peers.get(new MessagePeer.Key(socket, priority));
  }

  /** The same, which is made if there is none; {@link #forgetIfUnused} when it is not needed. */
  MessagePeer at(Address address, int priority) {
    InetSocketAddress socket = address.asSocket();
    return peers.computeIfAbsent(
        new MessagePeer.Key(socket, priority),
        key ->
            new MessagePeer(
                address, priority, held.computeIfAbsent(socket, unused -> new MessagePeer.Held())));
  }

  /** Adds a message to what waits for a peer; false when too much does. */
  boolean add(MessagePeer peer, OutgoingMessage message) {
    if (peer.held.bytes + message.costBytes() > maxBytesPerAddress
        || !queued.take(peer.socket.getAddress(), message.costBytes())) {
      return false;
    }
    peer.held.bytes += message.costBytes();
    message.peer = peer;
    peer.queue.add(message);
    return true;
  }

  /** Takes a message back that waits; null when there is none of that id. */
  @Nullable OutgoingMessage takeBack(UUID messageId) {
    for (MessagePeer peer : peers.values()) {
      for (OutgoingMessage message : peer.queue) {
        if (message.request != null && message.request.getMsgId().equals(messageId)) {
          peer.queue.remove(message);
          left(message);
          forgetIfUnused(peer);
          return message;
        }
      }
    }
    return null;
  }

  /** A message that was added is held no more; its final answer is known. */
  void left(OutgoingMessage message) {
    MessagePeer peer = message.peer;
    if (peer != null) {
      peer.held.bytes -= message.costBytes();
      queued.give(peer.socket.getAddress(), message.costBytes());
    }
  }

  /** Forgets a peer that no session sends to and nothing waits for. */
  void forgetIfUnused(MessagePeer peer) {
    if (peer.sender == null && peer.queue.isEmpty()) {
      if (peers.remove(peer.key(), peer) && --peer.held.users == 0) {
        held.remove(peer.socket, peer.held);
      }
    }
  }
}

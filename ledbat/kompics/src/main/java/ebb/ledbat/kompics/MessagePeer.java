package ebb.ledbat.kompics;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * An address that messages of one priority are sent to: what waits for it and the one session that
 * carries it.
 */
final class MessagePeer {
  /** Which peer it is. */
  record Key(InetSocketAddress socket, int priority) {}

  /** What all priorities of one address hold together. */
  static final class Held {
    /** Cost of the messages that are queued, being written or waiting for their answer. */
    long bytes;

    int users;
  }

  final Address address;
  final InetSocketAddress socket;
  final int priority;
  final Held held;
  final ArrayDeque<OutgoingMessage> queue = new ArrayDeque<>();

  /** The session that sends to this peer; there is never a second one, which keeps the order. */
  @Nullable MessageSession sender;

  MessagePeer(Address address, int priority, Held held) {
    this.address = address;
    this.socket = address.asSocket();
    this.priority = priority;
    this.held = held;
    held.users++;
  }

  /** Of the messages that wait. */
  long queuedBytes() {
    return queue.stream().mapToLong(message -> message.bodyBytes).sum();
  }

  Key key() {
    return new Key(socket, priority);
  }
}

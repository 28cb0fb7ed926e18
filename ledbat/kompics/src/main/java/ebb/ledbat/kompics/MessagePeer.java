package ebb.ledbat.kompics;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/** An address that messages are sent to: what waits for it and the one session that carries it. */
final class MessagePeer {
  final Address address;
  final InetSocketAddress socket;
  final ArrayDeque<OutgoingMessage> queue = new ArrayDeque<>();

  /** The session that sends to this peer; there is never a second one, which keeps the order. */
  @Nullable MessageSession sender;

  /** Cost of the messages that are queued, being written or waiting for their delivery answer. */
  long heldBytes;

  MessagePeer(Address address) {
    this.address = address;
    this.socket = address.asSocket();
  }
}

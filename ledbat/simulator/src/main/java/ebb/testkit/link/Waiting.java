package ebb.testkit.link;

/**
 * A packet in a link, from its arrival until its delivery to the next hop.
 *
 * @param hop the place of the link on the packet's path
 * @param wireBytes what it takes on the link, with the headers of its fragments
 */
record Waiting<P extends SimPacket>(
    P packet, Path<P> path, int hop, int wireBytes, long arrivedMicros) {
  void deliver() {
    path.forward(packet, hop + 1);
  }

  int flow() {
    return packet.flow();
  }
}

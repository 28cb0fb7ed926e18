package ebb.testkit.link;

import java.util.List;

/**
 * The links that packets pass one after the other, and who gets them. Links may be shared among
 * paths.
 *
 * @param <P> the packets that travel on it
 */
public final class Path<P extends SimPacket> {
  private final List<Link> links;
  private final PacketReceiver<P> receiver;

  public Path(List<Link> links, PacketReceiver<P> receiver) {
    this.links = List.copyOf(links);
    this.receiver = receiver;
  }

  /** Puts {@code packet} on the first link, or delivers it at once when there is none. */
  public void send(P packet) {
    forward(packet, 0);
  }

  void forward(P packet, int hop) {
    if (hop == links.size()) {
      receiver.onPacket(packet);
    } else {
      links.get(hop).offer(packet, this, hop);
    }
  }
}

package ebb.testkit.link;

/**
 * Where a path ends.
 *
 * @param <P> the packets it takes
 */
@FunctionalInterface
public interface PacketReceiver<P extends SimPacket> {
  void onPacket(P packet);
}

package ebb.ledbat.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Which type of service (DSCP and ECN) the packets to each peer have; 0 unless somebody asked for
 * another. A socket has one at a time, so packets with different ones cannot wait in it together.
 * Used on the loop.
 */
final class PacketMarks {
  private record Mark(int typeOfService, int users) {}

  private final Channel channel;
  private final Map<InetSocketAddress, Mark> marks = new HashMap<>();
  private int current;

  PacketMarks(Channel channel) {
    this.channel = channel;
  }

  /** Until as many have called {@link #remove}. */
  void add(InetSocketAddress peer, int typeOfService) {
    marks.merge(
        peer,
        new Mark(typeOfService, 1),
        (before, one) -> new Mark(typeOfService, before.users + 1));
  }

  void remove(InetSocketAddress peer) {
    marks.computeIfPresent(
        peer,
        (same, mark) -> mark.users == 1 ? null : new Mark(mark.typeOfService, mark.users - 1));
  }

  private int wanted(InetSocketAddress peer) {
    Mark mark = marks.isEmpty() ? null : marks.get(peer);
    return mark == null ? 0 : mark.typeOfService;
  }

  /** Whether {@link #set} would have to change anything. */
  boolean needsChange(InetSocketAddress peer) {
    return wanted(peer) != current;
  }

  /** What is written from now on is for this peer. */
  void set(InetSocketAddress peer) {
    int wanted = wanted(peer);
    if (wanted != current) {
      current = wanted;
      try {
        channel.config().setOption(ChannelOption.IP_TOS, wanted);
      } catch (ChannelException refused) {
        // Such as a kernel that forbids it: packets go as they would without.
      }
    }
  }
}

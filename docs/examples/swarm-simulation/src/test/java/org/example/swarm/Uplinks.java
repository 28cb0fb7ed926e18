package org.example.swarm;

import ebb.ledbat.kompics.UtpDatagram;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import se.sics.kompics.network.Msg;
import se.sics.kompics.simulator.network.NetworkModel;

/**
 * The network between the simulated nodes. The simulator has only latency, so this adds what makes
 * LEDBAT work at all: every node sends through an uplink with a rate and a drop-tail buffer, as
 * behind a home router, and everything behind the uplinks is infinitely fast. Each pair of nodes
 * has a propagation delay of its own, 5 to 50 ms one way. A node can be cut off, which is how one
 * dies without a word.
 */
final class Uplinks implements NetworkModel {
  private static final int HEADER_BYTES = 28;
  private static final long MIN_DELAY_MICROS = 5_000;
  private static final long MAX_DELAY_MICROS = 50_000;
  private static final long DROPPED = -1;

  private final long bitsPerSecond;
  private final long bufferMicros;
  private final Map<InetSocketAddress, Long> freeAtMicros = new HashMap<>();
  private final Set<InetSocketAddress> cut = new HashSet<>();
  private long datagrams;
  private long bytes;
  private long overflows;

  /**
   * @param bufferMicros how long a full buffer takes to drain
   */
  Uplinks(long bitsPerSecond, long bufferMicros) {
    this.bitsPerSecond = bitsPerSecond;
    this.bufferMicros = bufferMicros;
  }

  void cut(InetSocketAddress node) {
    cut.add(node);
  }

  void join(InetSocketAddress node) {
    cut.remove(node);
  }

  @Override
  public long getLatencyMs(Msg<?, ?> message) {
    InetSocketAddress from = message.getHeader().getSource().asSocket();
    InetSocketAddress to = message.getHeader().getDestination().asSocket();
    if (cut.contains(from) || cut.contains(to)) {
      return DROPPED;
    }
    int packetBytes = ((UtpDatagram) message).payloadBytes() + HEADER_BYTES;
    long now = System.nanoTime() / 1_000;
    long free = Math.max(now, freeAtMicros.getOrDefault(from, now));
    if (free - now > bufferMicros) {
      overflows++;
      return DROPPED;
    }
    long sent = free + packetBytes * 8_000_000L / bitsPerSecond;
    freeAtMicros.put(from, sent);
    datagrams++;
    bytes += packetBytes;
    // Upwards to the simulator's milliseconds; equal times keep their order.
    return -Math.floorDiv(-(sent - now + delayMicros(from, to)), 1_000);
  }

  private static long delayMicros(InetSocketAddress a, InetSocketAddress b) {
    // The same both ways. hashCode of an address is made of its bytes, so it is always the same.
    long mixed = (a.hashCode() + (long) b.hashCode()) * 0x9E37_79B9_7F4A_7C15L;
    return MIN_DELAY_MICROS + Math.floorMod(mixed >> 20, MAX_DELAY_MICROS - MIN_DELAY_MICROS + 1);
  }

  String figures() {
    return datagrams + " datagrams, " + bytes + " bytes, " + overflows + " overflows";
  }
}

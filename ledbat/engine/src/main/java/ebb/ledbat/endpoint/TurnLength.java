package ebb.ledbat.endpoint;

import ebb.ledbat.connection.Burst;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How much connections should send at a time when many of them share bursts. Left alone, each sends
 * a packet or two when one or two are acknowledged, and what is done once for each part of a burst,
 * and once for each acknowledgement, is done for those. While the bursts to a peer are full and
 * several connections' each, they may as well send more at a time and less often: the network sees
 * full bursts either way.
 */
final class TurnLength {
  /** So few that a burst with GSO is still shared. */
  static final int LONG_TURN_PACKETS = 16;

  private static final int ENOUGH_BURSTS = 8;

  private @Nullable InetSocketAddress peer;
  private int fullAndShared;

  /** For {@link Burst#setTurnPackets}. */
  int packets(InetSocketAddress to) {
    return fullAndShared >= ENOUGH_BURSTS && to.equals(peer) ? LONG_TURN_PACKETS : 0;
  }

  /** Notes a burst. */
  void onBurst(InetSocketAddress to, boolean full, boolean shared) {
    if (!full || !shared || (fullAndShared > 0 && !to.equals(peer))) {
      fullAndShared = Math.max(0, fullAndShared - 1);
    } else {
      peer = to;
      fullAndShared = Math.min(2 * ENOUGH_BURSTS, fullAndShared + 1);
    }
  }
}

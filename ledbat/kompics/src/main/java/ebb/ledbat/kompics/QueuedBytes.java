package ebb.ledbat.kompics;

import ebb.ledbat.endpoint.SourceShares;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent, by whom it is for: each source, an IPv4 address or the first 64 bits of an
 * IPv6 one, may have half of what the others leave. So peers that take nothing of what they asked
 * for leave room for answers to somebody else, however many ports they have. Not thread-safe.
 */
final class QueuedBytes {
  private final long maxBytes;
  private final Map<Long, Long> bySource = new HashMap<>();
  private long bytes;

  QueuedBytes(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** False when there is no room. */
  boolean take(@Nullable InetAddress target, long cost) {
    long source = SourceShares.source(target);
    long own = bySource.getOrDefault(source, 0L);
    long leftByOthers = maxBytes - (bytes - own);
    if (own + cost > leftByOthers / 2) {
      return false;
    }
    bySource.put(source, own + cost);
    bytes += cost;
    return true;
  }

  void give(@Nullable InetAddress target, long cost) {
    bySource.computeIfPresent(
        SourceShares.source(target), (source, own) -> own == cost ? null : own - cost);
    bytes -= cost;
  }
}

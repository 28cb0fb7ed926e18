package ebb.files;

import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.kompics.StreamBridge;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a progress line shows, and the way to ask a running component for it. Written by the
 * component's threads, read by the command's. Thread-safe.
 */
final class TransferMonitor {
  /** Content moved since the start. */
  final AtomicLong movedBytes = new AtomicLong();

  /** Content that did not have to move. */
  final AtomicLong skippedBytes = new AtomicLong();

  final AtomicLong filesDone = new AtomicLong();
  private volatile @Nullable StreamBridge bridge;
  private volatile @Nullable ConnectionStats stats;

  void attach(StreamBridge streams) {
    bridge = streams;
  }

  /** Asks the transport for new statistics, which come soon. */
  void sample() {
    StreamBridge streams = bridge;
    if (streams != null) {
      streams.sampleAll();
    }
  }

  /** Drops every stream; the sessions end soon after. */
  void abort() {
    StreamBridge streams = bridge;
    if (streams != null) {
      streams.abortAll();
    }
  }

  void onStats(ConnectionStats latest) {
    stats = latest;
  }

  /** The latest that came from any stream; null before the first. */
  @Nullable ConnectionStats stats() {
    return stats;
  }
}

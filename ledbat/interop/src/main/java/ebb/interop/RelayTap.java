package ebb.interop;

import java.nio.ByteBuffer;

/** Sees every datagram as a {@link LossyRelay} receives it, before anything happens to it. */
@FunctionalInterface
public interface RelayTap {
  /** Sees nothing. */
  RelayTap NONE = (fromInitiator, datagram, nowNanos) -> {};

  /**
   * Called on the relay's thread, so it must be quick.
   *
   * @param datagram between position and limit; valid and unchanged only during the call, which may
   *     not change position or limit
   * @param nowNanos of {@link System#nanoTime}
   */
  void onDatagram(boolean fromInitiator, ByteBuffer datagram, long nowNanos);
}

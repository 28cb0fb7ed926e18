package ebb.ledbat.trace;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Watches the connections of an endpoint: says who listens to each. It is part of the endpoint's
 * configuration. One that serves several endpoints is called by the drivers of all of them and must
 * be thread-safe; it must not throw.
 */
@FunctionalInterface
public interface EndpointTrace {
  /**
   * A connection begins.
   *
   * @param initiator whether this side opened it; else its peer has not proven its address yet
   * @param receiveId the connection id of packets that come in; with {@code remote} it tells
   *     connections apart that exist at the same time
   * @return who hears what happens to it; null for nobody
   */
  @Nullable ConnectionTrace onConnection(
      InetSocketAddress remote, boolean initiator, int receiveId, long nowMicros);
}

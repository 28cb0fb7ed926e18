package ebb.net.mechanism;

import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.Latencies;
import ebb.net.loop.NetLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a client's flows have to know of their run. Thread-safe. */
public interface ClientRun {
  TestSpec spec();

  /** The session's, to be shown to the server. */
  Token token();

  /** Where the server takes flows of this mechanism. */
  InetSocketAddress server();

  /** Where the user wants to connect from; null for anywhere. */
  @Nullable InetSocketAddress bound();

  /** The same for one of the flows, which may have a port of its own. */
  default @Nullable InetSocketAddress bound(int stream, boolean sending) {
    return bound();
  }

  /** This host's address on the way to the server. */
  InetAddress localAddress();

  /** How long a flow may take to open. */
  long connectTimeoutMillis();

  MicroClock clock();

  /**
   * A moment of {@link #clock} on the server's, for stamping what leaves and for judging what came;
   * the same where that clock is not known.
   */
  default long serverMicros(long micros) {
    return micros;
  }

  /** Takes the round trips of stop-and-wait. */
  Latencies latencies();

  /** The run's loop. */
  NetLoop loop();

  /** The server where it is another program's; null for Ebb's own. */
  default @Nullable ForeignServer foreign() {
    return null;
  }

  /** What several runs use together, made by the first; closed after the last. */
  <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker);

  /** Where sockets of the flows are to be bound, which know one family of addresses only. */
  default InetSocketAddress local() {
    InetSocketAddress given = bound();
    return given != null ? given : new InetSocketAddress(localAddress(), 0);
  }

  /** The same for one of the flows. */
  default InetSocketAddress local(int stream, boolean sending) {
    InetSocketAddress given = bound(stream, sending);
    return given == null || given.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(localAddress(), given == null ? 0 : given.getPort())
        : given;
  }
}

package ebb.ledbat.kompics;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.JoinedStream;
import ebb.ledbat.stream.StreamEvents;
import ebb.ledbat.stream.StreamFlow;
import java.net.InetSocketAddress;
import java.util.function.Predicate;

/**
 * A stream that was connected or accepted, for a user that would rather have its bytes without an
 * event for each piece. Thread-safe.
 */
public final class StreamHandle {
  private static final long WINDOW_BYTES = 1 << 20;

  private final StreamFlow flow;
  private final Predicate<EndpointDriver.Task> tasks;
  private final InetSocketAddress remote;
  private final long creditBytes;
  private final StreamEvents port;

  /**
   * @param tasks runs a task in the endpoint's context; false when there is none any more
   */
  StreamHandle(
      StreamFlow flow,
      Predicate<EndpointDriver.Task> tasks,
      InetSocketAddress remote,
      long creditBytes,
      StreamEvents port) {
    this.flow = flow;
    this.tasks = tasks;
    this.remote = remote;
    this.creditBytes = creditBytes;
    this.port = port;
  }

  /**
   * Takes the stream off the port: its bytes cross between the returned stream and the endpoint
   * from here on, and of its indications only {@code Closed} still comes, and {@code Sampled} when
   * it is asked for. Once, before anything is written or demanded; {@link BlockingStream#open}
   * starts what comes in.
   *
   * @param windowBytes what is taken from the transport ahead of reading
   */
  public BlockingStream block(long windowBytes) {
    BlockingStream stream =
        JoinedStream.join(flow, this::ask, remote, creditBytes, windowBytes, new ClosedOnly(port));
    if (!tasks.test((endpoint, now) -> {})) {
      stream.onClosed(CloseReason.ENDPOINT_CLOSED);
    }
    return stream;
  }

  /** The same with a window of 1 MiB, and what comes in is started. */
  public BlockingStream block() {
    BlockingStream stream = block(WINDOW_BYTES);
    stream.open();
    return stream;
  }

  private void ask(EndpointDriver.Task task) {
    boolean unused = tasks.test(task); // where there is no endpoint, the stream was told its end
  }

  private record ClosedOnly(StreamEvents port) implements StreamEvents {
    @Override
    public void onConnected() {}

    @Override
    public void onConnectFailed(CloseReason reason) {}

    @Override
    public void onClosed(CloseReason reason, ConnectionStats stats) {
      port.onClosed(reason, stats);
    }
  }
}

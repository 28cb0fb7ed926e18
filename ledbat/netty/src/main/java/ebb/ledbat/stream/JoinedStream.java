package ebb.ledbat.stream;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.EndpointDriver;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A {@link StreamFlow}, in the endpoint's context, and the {@link BlockingStream} of its user: what
 * the user asks goes to the flow as tasks, what the flow tells goes straight to the user.
 */
public final class JoinedStream implements StreamEvents {
  private final BlockingStream stream;
  private final StreamEvents edges;

  private JoinedStream(BlockingStream stream, StreamEvents edges) {
    this.stream = stream;
    this.edges = edges;
  }

  /**
   * Hands the flow over to a new blocking stream; any thread, before the flow was written to or
   * asked for data. The stream's user calls {@link BlockingStream#open}.
   *
   * @param tasks runs tasks in the endpoint's context, in order
   * @param creditBytes the flow's
   * @param windowBytes what is demanded ahead of reading
   * @param edges still hears how the stream begins and ends
   */
  public static BlockingStream join(
      StreamFlow flow,
      Consumer<EndpointDriver.Task> tasks,
      InetSocketAddress remote,
      long creditBytes,
      long windowBytes,
      StreamEvents edges) {
    BlockingStream stream =
        new BlockingStream(remote, creditBytes, windowBytes, new Asked(flow, tasks));
    JoinedStream joined = new JoinedStream(stream, edges);
    tasks.accept((endpoint, now) -> flow.handOver(joined));
    return stream;
  }

  @Override
  public void onConnected() {
    edges.onConnected();
  }

  @Override
  public void onConnectFailed(CloseReason reason) {
    edges.onConnectFailed(reason);
  }

  @Override
  public void onWritten(long bytes) {
    stream.onWritten(bytes);
  }

  @Override
  public ByteBuffer room(int bytes) {
    return stream.room(bytes);
  }

  @Override
  public void onData(ByteBuffer bytes) {
    stream.onData(bytes);
  }

  @Override
  public void onPeerFinished() {
    stream.onPeerFinished();
  }

  @Override
  public void onClosed(CloseReason reason, ConnectionStats stats) {
    stream.onStats(stats);
    stream.onClosed(reason);
    edges.onClosed(reason, stats);
  }

  private record Asked(StreamFlow flow, Consumer<EndpointDriver.Task> tasks)
      implements StreamCommands {
    @Override
    public void write(ByteBuffer bytes) {
      tasks.accept((endpoint, now) -> flow.write(bytes, now));
    }

    @Override
    public void demand(long bytes) {
      tasks.accept((endpoint, now) -> flow.demand(bytes, now));
    }

    @Override
    public void finish() {
      tasks.accept((endpoint, now) -> flow.finish(now));
    }

    @Override
    public void abort() {
      tasks.accept((endpoint, now) -> flow.abort(now));
    }
  }
}

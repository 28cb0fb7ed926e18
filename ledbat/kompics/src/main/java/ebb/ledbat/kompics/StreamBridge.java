package ebb.ledbat.kompics;

import ebb.ledbat.stream.BlockingStream;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;

/**
 * The {@link BlockingStream}s of one component, by id: their statistics and ends come by the port,
 * their bytes do not. It ignores other components' streams. Thread-safe.
 */
public final class StreamBridge {
  private final ConcurrentMap<Long, BlockingStream> streams = new ConcurrentHashMap<>();
  private final Consumer<KompicsEvent> requests;

  /**
   * @param requests triggers a request on the port, from any thread
   */
  public StreamBridge(Consumer<KompicsEvent> requests) {
    this.requests = requests;
  }

  /** Takes a stream that was connected off the port, and asks for its data. */
  public BlockingStream open(LedbatStreams.Connected event, long windowBytes) {
    return open(event.streamId(), event.stream(), windowBytes);
  }

  /** The same for one that was accepted. */
  public BlockingStream open(LedbatStreams.Accepted event, long windowBytes) {
    return open(event.streamId(), event.stream(), windowBytes);
  }

  private BlockingStream open(long streamId, StreamHandle handle, long windowBytes) {
    BlockingStream stream = handle.block(windowBytes);
    streams.put(streamId, stream);
    stream.open();
    return stream;
  }

  /** Refuses a stream that was accepted. */
  public void refuse(long streamId) {
    requests.accept(new LedbatStreams.Abort(streamId));
  }

  /** Asks for statistics of every stream. */
  public void sampleAll() {
    streams.keySet().forEach(id -> requests.accept(new LedbatStreams.Sample(id)));
  }

  /** Drops every stream. */
  public void abortAll() {
    streams.values().forEach(BlockingStream::abort);
  }

  public void onSampled(LedbatStreams.Sampled event) {
    BlockingStream stream = streams.get(event.streamId());
    if (stream != null) {
      stream.onStats(event.stats());
    }
  }

  /** The stream that this ended, which knows already; null when it was not one of these. */
  public @Nullable BlockingStream onClosed(LedbatStreams.Closed event) {
    return streams.remove(event.streamId());
  }
}

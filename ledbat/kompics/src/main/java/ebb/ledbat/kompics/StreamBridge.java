package ebb.ledbat.kompics;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamCommands;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;

/**
 * The streams of one component: hands the port's indications to the {@link BlockingStream} they
 * belong to, and ignores those of other components' streams. Thread-safe.
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

  /** Takes a stream that was connected or accepted, and asks for its data. */
  public BlockingStream open(
      long streamId, InetSocketAddress remote, long creditBytes, long windowBytes) {
    BlockingStream stream =
        new BlockingStream(remote, creditBytes, windowBytes, new FromPort(streamId));
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

  public void onData(LedbatStreams.Data event) {
    BlockingStream stream = streams.get(event.streamId());
    if (stream != null) {
      stream.onData(event.bytes());
    }
  }

  public void onWritten(LedbatStreams.Written event) {
    BlockingStream stream = streams.get(event.streamId());
    if (stream != null) {
      stream.onWritten(event.bytes());
    }
  }

  public void onPeerFinished(LedbatStreams.PeerFinished event) {
    BlockingStream stream = streams.get(event.streamId());
    if (stream != null) {
      stream.onPeerFinished();
    }
  }

  public void onSampled(LedbatStreams.Sampled event) {
    BlockingStream stream = streams.get(event.streamId());
    if (stream != null) {
      stream.onStats(event.stats());
    }
  }

  /** The stream that this ended; null when it was not one of these. */
  public @Nullable BlockingStream onClosed(LedbatStreams.Closed event) {
    BlockingStream stream = streams.remove(event.streamId());
    if (stream != null) {
      stream.onStats(event.stats());
      stream.onClosed(event.reason());
    }
    return stream;
  }

  private final class FromPort implements StreamCommands {
    private final long streamId;

    FromPort(long streamId) {
      this.streamId = streamId;
    }

    @Override
    public void write(ByteBuffer bytes) {
      requests.accept(new LedbatStreams.Write(streamId, bytes));
    }

    @Override
    public void demand(long bytes) {
      requests.accept(new LedbatStreams.Demand(streamId, bytes));
    }

    @Override
    public void finish() {
      requests.accept(new LedbatStreams.Finish(streamId));
    }

    @Override
    public void abort() {
      requests.accept(new LedbatStreams.Abort(streamId));
    }
  }
}

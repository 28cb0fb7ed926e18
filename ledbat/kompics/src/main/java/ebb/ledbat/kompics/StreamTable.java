package ebb.ledbat.kompics;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;

/**
 * All streams of one endpoint, by id. Owns the table; each {@link Stream} owns its flow. Everything
 * here runs in the endpoint's context, and indications leave through {@code sink} from there.
 */
final class StreamTable implements EndpointListener {
  private final long creditBytes;
  private final LongSupplier nowMicros;
  private final Consumer<KompicsEvent> sink;
  private final Map<Long, Stream> streams = new HashMap<>();

  StreamTable(long creditBytes, LongSupplier nowMicros, Consumer<KompicsEvent> sink) {
    this.creditBytes = creditBytes;
    this.nowMicros = nowMicros;
    this.sink = sink;
  }

  void connect(Dialer dialer, long streamId, InetSocketAddress remote, long nowMicros) {
    if (remote.isUnresolved() || remote.getPort() == 0) {
      indicate(new LedbatStreams.ConnectFailed(streamId, remote, CloseReason.UNREACHABLE));
      return;
    }
    if (streams.containsKey(streamId)) {
      return; // the id is taken, so its events belong to the stream that has it
    }
    Stream stream = new Stream(this, streamId, remote, creditBytes);
    streams.put(streamId, stream);
    stream.attach(dialer.connect(remote, stream, nowMicros));
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    long streamId = LedbatStreams.newStreamId();
    Stream stream = new Stream(this, streamId, connection.remote(), creditBytes);
    streams.put(streamId, stream);
    stream.attach(connection);
    connection.setListener(stream);
    stream.onAccepted();
  }

  /** The stream with this id, or null when it is gone or was never here. */
  @Nullable Stream get(long streamId) {
    return streams.get(streamId);
  }

  int size() {
    return streams.size();
  }

  /** Aborts every stream, each with its last event. */
  void closeAll(long nowMicros) {
    for (Stream stream : new ArrayList<>(streams.values())) {
      stream.endpointClosed(nowMicros);
    }
  }

  void forget(long streamId) {
    streams.remove(streamId);
  }

  void indicate(KompicsEvent event) {
    sink.accept(event);
  }

  long nowMicros() {
    return nowMicros.getAsLong();
  }
}

package ebb.ledbat.kompics;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.stream.StreamFlow;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;

/**
 * All streams of one endpoint, by id. Where a port has several loops, ids are dealt to them in
 * turn, so that an id says whose the stream is. Owns the table; each {@link StreamFlow} owns its
 * flow. Everything here runs in the endpoint's context, and indications leave through {@code sink}
 * from there.
 */
final class StreamTable implements EndpointListener {
  private final long creditBytes;
  private final LongSupplier nowMicros;
  private final Consumer<KompicsEvent> sink;
  private final Predicate<EndpointDriver.Task> tasks;
  private final byte[] hello;
  private final Connections connections;
  private final int loop;
  private final int loops;
  private final Map<Long, StreamFlow> streams = new HashMap<>();
  private final Map<Long, LedbatConnection> ofStreams = new HashMap<>();

  /** Hears which connections carry streams. */
  interface Connections {
    void began(LedbatConnection connection);

    void ended(LedbatConnection connection);

    /** Nobody does. */
    Connections UNHEARD =
        new Connections() {
          @Override
          public void began(LedbatConnection connection) {}

          @Override
          public void ended(LedbatConnection connection) {}
        };
  }

  /**
   * Of one loop of a port.
   *
   * @param sink takes indications
   * @param tasks runs a task in the endpoint's context; false when there is none any more
   */
  StreamTable(
      long creditBytes,
      LongSupplier nowMicros,
      Consumer<KompicsEvent> sink,
      Predicate<EndpointDriver.Task> tasks,
      int loop,
      int loops) {
    this(creditBytes, nowMicros, sink, tasks, new byte[0], Connections.UNHEARD, loop, loops);
  }

  /**
   * @param hello what streams that are opened begin with
   */
  StreamTable(
      long creditBytes,
      LongSupplier nowMicros,
      Consumer<KompicsEvent> sink,
      Predicate<EndpointDriver.Task> tasks,
      byte[] hello,
      Connections connections) {
    this(creditBytes, nowMicros, sink, tasks, hello, connections, 0, 1);
  }

  private StreamTable(
      long creditBytes,
      LongSupplier nowMicros,
      Consumer<KompicsEvent> sink,
      Predicate<EndpointDriver.Task> tasks,
      byte[] hello,
      Connections connections,
      int loop,
      int loops) {
    this.loop = loop;
    this.loops = loops;
    this.hello = hello;
    this.connections = connections;
    this.creditBytes = creditBytes;
    this.nowMicros = nowMicros;
    this.sink = sink;
    this.tasks = tasks;
  }

  /** Which of {@code loops} has the stream with this id. */
  static int loopOf(long streamId, int loops) {
    return (int) Math.floorMod(streamId, (long) loops);
  }

  /** Which of the port's loops runs it. */
  int loop() {
    return loop;
  }

  private long newStreamId() {
    long id;
    do {
      id = LedbatStreams.newStreamId();
    } while (loopOf(id, loops) != loop);
    return id;
  }

  void connect(Dialer dialer, long streamId, InetSocketAddress remote, long nowMicros) {
    if (remote.isUnresolved() || remote.getPort() == 0) {
      indicate(new LedbatStreams.ConnectFailed(streamId, remote, CloseReason.UNREACHABLE));
      return;
    }
    if (streams.containsKey(streamId)) {
      return; // the id is taken, so its events belong to the stream that has it
    }
    StreamFlow stream = add(streamId, new PortEvents(this, streamId, remote), hello);
    LedbatConnection connection = dialer.connect(remote, stream, nowMicros);
    stream.attach(connection);
    begin(streamId, connection);
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    accept(connection);
  }

  /** The same; returns what hears the connection's events from here on. */
  ConnectionListener accept(LedbatConnection connection) {
    long streamId = newStreamId();
    InetSocketAddress remote = connection.remote();
    PortEvents port = new PortEvents(this, streamId, remote);
    StreamFlow stream = add(streamId, port, new byte[0]);
    stream.accept(connection);
    begin(streamId, connection);
    indicate(
        new LedbatStreams.Accepted(streamId, remote, creditBytes, handle(stream, remote, port)));
    return stream;
  }

  private void begin(long streamId, LedbatConnection connection) {
    if (streams.containsKey(streamId)) {
      ofStreams.put(streamId, connection);
      connections.began(connection);
    }
  }

  /** A stream that this side opened was answered. */
  void connected(long streamId, InetSocketAddress remote, PortEvents port) {
    StreamFlow stream = streams.get(streamId);
    if (stream != null) {
      indicate(
          new LedbatStreams.Connected(streamId, remote, creditBytes, handle(stream, remote, port)));
    }
  }

  private StreamHandle handle(StreamFlow stream, InetSocketAddress remote, PortEvents port) {
    return new StreamHandle(stream, tasks, remote, creditBytes, port);
  }

  private StreamFlow add(long streamId, PortEvents port, byte[] begin) {
    StreamFlow stream = new StreamFlow(nowMicros, port.remote(), creditBytes, port, begin);
    streams.put(streamId, stream);
    return stream;
  }

  /** The stream with this id, or null when it is gone or was never here. */
  @Nullable StreamFlow get(long streamId) {
    return streams.get(streamId);
  }

  int size() {
    return streams.size();
  }

  /** Aborts every stream, each with its last event. */
  void closeAll(long nowMicros) {
    for (StreamFlow stream : new ArrayList<>(streams.values())) {
      stream.endpointClosed(nowMicros);
    }
  }

  void forget(long streamId) {
    streams.remove(streamId);
    LedbatConnection connection = ofStreams.remove(streamId);
    if (connection != null) {
      connections.ended(connection);
    }
  }

  void indicate(KompicsEvent event) {
    sink.accept(event);
  }
}

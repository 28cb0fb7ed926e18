package ebb.net.udp;

import ebb.core.rand.FreshSecret;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.ServerPlace;
import ebb.net.mechanism.ServerSession;
import ebb.net.mechanism.ServiceMark;
import io.netty.buffer.ByteBuf;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The server's UDP socket: lets flows of known sessions in when they have proven their address, and
 * hands each datagram to its flow. What is neither is counted and dropped. Apart from {@link #bind}
 * and {@link #port} all of it is on the loop.
 */
final class UdpAcceptor implements FlowAcceptor {
  private final ServerPlace place;
  private final Map<Token, Joining> sessions = new HashMap<>();
  private final Map<Long, FlowEnd> flows = new HashMap<>();
  private long lastKey;
  private @Nullable FlowEnd lastFlow;
  private @Nullable UdpSocket socket;

  private UdpAcceptor(ServerPlace place) {
    this.place = place;
  }

  /** Binds; not to be called on the loop. */
  static UdpAcceptor bind(ServerPlace place, InetSocketAddress local)
      throws BindException, InterruptedException {
    UdpAcceptor acceptor = new UdpAcceptor(place);
    try {
      acceptor.socket = UdpSocket.bind(place.loop(), local, 0, acceptor::onDatagram).get();
    } catch (ExecutionException taken) {
      BindException failure = new BindException(reason(taken));
      failure.initCause(taken);
      throw failure;
    }
    return acceptor;
  }

  private static String reason(ExecutionException taken) {
    Throwable cause = taken.getCause();
    return String.valueOf(cause == null ? taken.getMessage() : cause.getMessage());
  }

  private UdpSocket socket() {
    UdpSocket bound = socket;
    if (bound == null) {
      throw new IllegalStateException("not bound");
    }
    return bound;
  }

  @Override
  public int port() {
    return socket().localAddress().getPort();
  }

  @Override
  public String listening() {
    return "plain UDP on port " + port();
  }

  @Override
  public void open(ServerSession session) {
    sessions.put(session.token(), new Joining(session));
  }

  @Override
  public CompletableFuture<Void> accept(
      ServerSession session,
      InetSocketAddress local,
      InetSocketAddress from,
      ByteBuf answer,
      boolean down) {
    Joining joining = sessions.get(session.token());
    if (joining == null || !place.loop().epoll()) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("UDP with iperf3's clients needs Linux with native epoll"));
    }
    Iperf3Flow flow = new Iperf3Flow(session, from, down);
    return UdpSocket.connect(
            place.loop(), local, from, session.spec().windowBytes(), flow::onDatagram)
        .thenAccept(
            made -> {
              joining.sockets.add(made);
              ServiceMark.of(session.spec()).ifPresent(made::mark);
              if (sessions.get(session.token()) == joining && session.add(flow.begin(made), down)) {
                made.send(answer, answer.readableBytes(), from);
              } else {
                made.close();
              }
            });
  }

  @Override
  public void close(Token session) {
    Joining joining = sessions.remove(session);
    if (joining != null) {
      joining.sockets.forEach(UdpSocket::close);
      for (Candidate candidate : joining.candidates.values()) {
        flows.remove(candidate.key);
      }
      lastFlow = null;
    }
  }

  @Override
  public void close() {
    socket().close();
  }

  private void onDatagram(ByteBuf in, int at, int length, InetSocketAddress from) {
    boolean known =
        switch (UdpWire.type(in, at, length)) {
          case UdpWire.MESSAGE ->
              flow(UdpWire.key(in, at)) instanceof UdpReceiverEnd receiver
                  && receiver.onMessage(in, at, length, from);
          case UdpWire.ACK ->
              flow(UdpWire.key(in, at)) instanceof UdpSenderEnd sender
                  && sender.onAck(in, at, from);
          case UdpWire.MARK ->
              flow(UdpWire.key(in, at)) instanceof UdpReceiverEnd receiver
                  && receiver.onMark(in, at, length, from);
          case UdpWire.JOIN, UdpWire.PROVE -> onHandshake(in, at, from);
          default -> false;
        };
    if (!known) {
      place.stranger();
    }
  }

  private @Nullable FlowEnd flow(long key) {
    FlowEnd last = lastFlow;
    if (last != null && lastKey == key) {
      return last;
    }
    FlowEnd found = flows.get(key);
    lastKey = key;
    lastFlow = found;
    return found;
  }

  private boolean onHandshake(ByteBuf in, int at, InetSocketAddress from) {
    Joining joining = sessions.get(UdpWire.token(in, at));
    if (joining == null || place.session(joining.session.token(), from).isEmpty()) {
      return false;
    }
    int stream = UdpWire.stream(in, at);
    boolean down = UdpWire.down(in, at);
    if (stream >= joining.spec().streams()
        || !(down ? joining.spec().down() : joining.spec().up())) {
      return false;
    }
    int which = 2 * stream + (down ? 1 : 0);
    Candidate candidate = joining.candidates.get(which);
    if (candidate == null || (!candidate.joined && !candidate.address.equals(from))) {
      candidate = new Candidate(from, fresh(), fresh());
      joining.candidates.put(which, candidate);
    }
    if (!candidate.address.equals(from)) {
      return false; // The flow is another address's by now.
    }
    if (UdpWire.type(in, at, UdpWire.HANDSHAKE_BYTES) == UdpWire.JOIN) {
      answer(joining, UdpWire.CHALLENGE, stream, down, candidate.cookie, from);
      return true;
    }
    if (UdpWire.secret(in, at) != candidate.cookie) {
      return false;
    }
    if (!candidate.joined) {
      FlowEnd end = end(joining.session, candidate, down);
      if (!joining.session.add(end, down)) {
        end.abort();
        return false;
      }
      candidate.joined = true;
      flows.put(candidate.key, end);
      lastFlow = null;
    }
    answer(joining, UdpWire.ACCEPTED, stream, down, candidate.key, from);
    return true;
  }

  private FlowEnd end(ServerSession session, Candidate candidate, boolean down) {
    return down
        ? new UdpSenderEnd(
            socket(),
            session.spec(),
            UdpFormat.ebb(candidate.key),
            candidate.address,
            session.clock(),
            LongUnaryOperator.identity(),
            new Latencies())
        : new UdpReceiverEnd(
            socket(),
            session.spec(),
            candidate.key,
            candidate.address,
            session.clock(),
            LongUnaryOperator.identity());
  }

  private void answer(
      Joining joining, int type, int stream, boolean down, long secret, InetSocketAddress to) {
    // As long as the question: nobody gains by asking in another's name.
    ByteBuf answer = socket().channel().alloc().directBuffer(UdpWire.HANDSHAKE_BYTES);
    UdpWire.handshake(answer, type, joining.session.token(), stream, down, secret);
    socket().send(answer, UdpWire.HANDSHAKE_BYTES, to);
    answer.release();
  }

  private static long fresh() {
    return ByteBuffer.wrap(FreshSecret.bytes(Long.BYTES)).getLong();
  }

  /** A session that brings flows. */
  private static final class Joining {
    private final ServerSession session;
    private final Map<Integer, Candidate> candidates = new HashMap<>();

    /** Those of iperf3's flows. */
    private final List<UdpSocket> sockets = new ArrayList<>();

    Joining(ServerSession session) {
      this.session = session;
    }

    TestSpec spec() {
      return session.spec();
    }
  }

  /** An address that wants to be a flow. */
  private static final class Candidate {
    private final InetSocketAddress address;
    private final long cookie;
    private final long key;
    private boolean joined;

    Candidate(InetSocketAddress address, long cookie, long key) {
      this.address = address;
      this.cookie = cookie;
      this.key = key;
    }
  }
}

package ebb.net.udp;

import ebb.core.rand.FreshSecret;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.flow.Tally;
import ebb.net.tcp.TcpLoop;
import io.netty.buffer.ByteBuf;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's UDP socket: lets flows of known sessions in when they have proven their address, and
 * hands each datagram to its flow. What is neither is counted and dropped. All methods but {@link
 * #bind} and {@link #localAddress} are for the loop.
 */
public final class UdpServer {
  private final Runnable stranger;
  private final Map<Token, Joining> sessions = new HashMap<>();
  private final Map<Long, FlowEnd> flows = new HashMap<>();
  private long lastKey;
  private @Nullable FlowEnd lastFlow;
  private @Nullable UdpSocket socket;

  private UdpServer(Runnable stranger) {
    this.stranger = stranger;
  }

  /**
   * Binds.
   *
   * @param stranger hears of each datagram that is nobody's
   */
  public static UdpServer bind(TcpLoop loop, InetSocketAddress local, Runnable stranger)
      throws BindException, InterruptedException {
    UdpServer server = new UdpServer(stranger);
    server.socket = UdpSocket.bind(loop, local, 0, server::onDatagram);
    return server;
  }

  private UdpSocket socket() {
    UdpSocket bound = socket;
    if (bound == null) {
      throw new IllegalStateException("not bound");
    }
    return bound;
  }

  public InetSocketAddress localAddress() {
    return socket().localAddress();
  }

  /**
   * A session may bring flows.
   *
   * @param clock the one that the session's client knows the offset of
   * @param joined takes each, with whether this side sends
   */
  public void open(
      Token token, TestSpec spec, MicroClock clock, BiConsumer<FlowEnd, Boolean> joined) {
    sessions.put(token, new Joining(token, spec, clock, joined));
  }

  /** The session is over. */
  public void close(Token token) {
    Joining joining = sessions.remove(token);
    if (joining != null) {
      for (Candidate candidate : joining.candidates.values()) {
        flows.remove(candidate.key);
      }
      lastFlow = null;
    }
  }

  public void close() {
    UdpSocket bound = socket;
    if (bound != null) {
      bound.close();
    }
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
          case UdpWire.JOIN, UdpWire.PROVE -> onHandshake(in, at, from);
          default -> false;
        };
    if (!known) {
      stranger.run();
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
    int stream = UdpWire.stream(in, at);
    boolean down = UdpWire.down(in, at);
    if (joining == null
        || stream >= joining.spec.streams()
        || !(down ? joining.spec.down() : joining.spec.up())) {
      return false;
    }
    int place = 2 * stream + (down ? 1 : 0);
    Candidate candidate = joining.candidates.get(place);
    if (candidate == null || (!candidate.joined && !candidate.address.equals(from))) {
      candidate = new Candidate(from, fresh(), fresh());
      joining.candidates.put(place, candidate);
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
      candidate.joined = true;
      FlowEnd end = end(joining.spec, joining.clock, candidate, down);
      flows.put(candidate.key, end);
      lastFlow = null;
      joining.joined.accept(end, down);
    }
    answer(joining, UdpWire.ACCEPTED, stream, down, candidate.key, from);
    return true;
  }

  private FlowEnd end(TestSpec spec, MicroClock clock, Candidate candidate, boolean down) {
    Tally tally = new Tally();
    return down
        ? new UdpSenderEnd(
            socket(), spec, candidate.key, candidate.address, tally, clock, new Latencies())
        : new UdpReceiverEnd(socket(), spec, candidate.key, candidate.address, tally, clock);
  }

  private void answer(
      Joining joining, int type, int stream, boolean down, long secret, InetSocketAddress to) {
    // As long as the question: nobody gains by asking in another's name.
    ByteBuf answer = socket().channel().alloc().directBuffer(UdpWire.HANDSHAKE_BYTES);
    UdpWire.handshake(answer, type, joining.token, stream, down, secret);
    socket().send(answer, UdpWire.HANDSHAKE_BYTES, to);
    answer.release();
  }

  private static long fresh() {
    return ByteBuffer.wrap(FreshSecret.bytes(Long.BYTES)).getLong();
  }

  /** A session that brings flows. */
  private static final class Joining {
    private final Token token;
    private final TestSpec spec;
    private final MicroClock clock;
    private final BiConsumer<FlowEnd, Boolean> joined;
    private final Map<Integer, Candidate> candidates = new HashMap<>();

    Joining(Token token, TestSpec spec, MicroClock clock, BiConsumer<FlowEnd, Boolean> joined) {
      this.token = token;
      this.spec = spec;
      this.clock = clock;
      this.joined = joined;
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

package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client's flow of datagrams with a socket of its own: joins the session, then measures. */
public final class UdpClientFlow implements AutoCloseable {
  private static final int RETRY_MILLIS = 100;

  private final TestSpec spec;
  private final Token token;
  private final int stream;
  private final boolean sending;
  private final InetSocketAddress server;
  private final MicroClock clock;
  private final @Nullable Latencies latencies;
  private final CompletableFuture<FlowEnd> joined = new CompletableFuture<>();
  private final UdpSocket socket;
  private long cookie;
  private boolean challenged;
  private @Nullable FlowEnd end;

  /**
   * Binds and begins to join.
   *
   * @param server where its UDP socket is
   * @param timeoutMillis after which {@link #joined} fails
   */
  public UdpClientFlow(
      TcpLoop loop,
      InetSocketAddress local,
      InetSocketAddress server,
      TestSpec spec,
      Token token,
      int stream,
      boolean sending,
      MicroClock clock,
      @Nullable Latencies latencies,
      long timeoutMillis)
      throws InterruptedException {
    this.server = server;
    this.spec = spec;
    this.token = token;
    this.stream = stream;
    this.sending = sending;
    this.clock = clock;
    this.latencies = latencies;
    try {
      socket = UdpSocket.bind(loop, local, spec.windowBytes(), this::onDatagram);
    } catch (BindException taken) {
      throw new EbbException(ExitCode.USAGE, "" + taken.getMessage(), taken);
    }
    long attempts = Math.max(1, timeoutMillis / RETRY_MILLIS);
    loop.loop().execute(() -> ask(attempts));
  }

  private void ask(long attemptsLeft) {
    if (joined.isDone() || !socket.channel().isOpen()) {
      return;
    }
    if (attemptsLeft == 0) {
      joined.completeExceptionally(
          new EbbException(
              ExitCode.CANNOT_CONNECT,
              "UDP does not reach the server's port " + server.getPort() + ", or not back"));
      return;
    }
    ByteBuf question = socket.channel().alloc().directBuffer(UdpWire.HANDSHAKE_BYTES);
    UdpWire.handshake(
        question, challenged ? UdpWire.PROVE : UdpWire.JOIN, token, stream, !sending, cookie);
    socket.send(question, UdpWire.HANDSHAKE_BYTES, server);
    question.release();
    var unused =
        socket
            .channel()
            .eventLoop()
            .schedule(() -> ask(attemptsLeft - 1), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void onDatagram(ByteBuf in, int at, int length, InetSocketAddress from) {
    int type = UdpWire.type(in, at, length);
    FlowEnd current = end;
    if (current instanceof UdpReceiverEnd receiver && type == UdpWire.MESSAGE) {
      var unused = receiver.onMessage(in, at, length, from);
    } else if (current instanceof UdpSenderEnd sender && type == UdpWire.ACK) {
      var unused = sender.onAck(in, at, from);
    } else if (current == null
        && (type == UdpWire.CHALLENGE || type == UdpWire.ACCEPTED)
        && from.equals(server)
        && UdpWire.token(in, at).equals(token)
        && UdpWire.stream(in, at) == stream) {
      onAnswer(type, UdpWire.secret(in, at));
    }
  }

  private void onAnswer(int type, long secret) {
    if (type == UdpWire.CHALLENGE) {
      if (!challenged) {
        challenged = true;
        cookie = secret;
        ByteBuf proof = socket.channel().alloc().directBuffer(UdpWire.HANDSHAKE_BYTES);
        UdpWire.handshake(proof, UdpWire.PROVE, token, stream, !sending, cookie);
        socket.send(proof, UdpWire.HANDSHAKE_BYTES, server);
        proof.release();
      }
      return;
    }
    Tally tally = new Tally();
    FlowEnd made =
        sending
            ? new UdpSenderEnd(socket, spec, secret, server, tally, clock, latencies)
            : new UdpReceiverEnd(socket, spec, secret, server, tally, clock);
    end = made;
    joined.complete(made);
  }

  /** The flow, once the server knows its address; fails with an {@link EbbException}. */
  public CompletableFuture<FlowEnd> joined() {
    return joined;
  }

  /** Whether several datagrams go to the kernel in one call. */
  public boolean gso() {
    return socket.gso();
  }

  @Override
  public void close() {
    socket.close();
  }
}

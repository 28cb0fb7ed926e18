package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.control.TestSpec.Mode;
import ebb.net.echo.EchoLog;
import ebb.net.echo.MarkLog;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientRun;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's flow of datagrams until the server knows its address; then it hands each datagram to
 * the flow's end. All of it is on the run's loop.
 */
final class UdpJoin {
  private static final int RETRY_MILLIS = 100;

  private final ClientRun run;
  private final EchoLog echoes;
  private final @Nullable MarkLog marks;
  private final int stream;
  private final boolean sending;
  private final InetSocketAddress server;
  private final CompletableFuture<FlowEnd> joined = new CompletableFuture<>();
  private @Nullable UdpSocket bound;
  private long cookie;
  private boolean challenged;
  private @Nullable FlowEnd end;

  UdpJoin(ClientRun run, int stream, boolean sending, EchoLog echoes, @Nullable MarkLog marks) {
    this.run = run;
    this.echoes = echoes;
    this.marks = marks;
    this.stream = stream;
    this.sending = sending;
    server = run.server();
  }

  /**
   * Joins the session.
   *
   * @return the flow, once the server knows its address; fails with an {@link EbbException}
   */
  CompletableFuture<FlowEnd> begin(UdpSocket socket) {
    bound = socket;
    ask(socket, Math.max(1, run.connectTimeoutMillis() / RETRY_MILLIS));
    return joined;
  }

  private void ask(UdpSocket socket, long attemptsLeft) {
    if (joined.isDone()) {
      return;
    }
    if (attemptsLeft == 0 || !socket.channel().isOpen()) {
      joined.completeExceptionally(
          new EbbException(
              ExitCode.CANNOT_CONNECT,
              "UDP does not reach the server's port " + server.getPort() + ", or not back"));
      return;
    }
    send(socket, challenged ? UdpWire.PROVE : UdpWire.JOIN);
    var unused =
        socket
            .channel()
            .eventLoop()
            .schedule(() -> ask(socket, attemptsLeft - 1), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void send(UdpSocket socket, int type) {
    ByteBuf question = socket.channel().alloc().directBuffer(UdpWire.HANDSHAKE_BYTES);
    UdpWire.handshake(question, type, run.token(), stream, !sending, cookie);
    socket.send(question, UdpWire.HANDSHAKE_BYTES, server);
    question.release();
  }

  void onDatagram(ByteBuf in, int at, int length, InetSocketAddress from) {
    int type = UdpWire.type(in, at, length);
    FlowEnd current = end;
    UdpSocket socket = bound;
    if (current instanceof UdpReceiverEnd receiver && type == UdpWire.MESSAGE) {
      var unused = receiver.onMessage(in, at, length, from);
    } else if (current instanceof UdpSenderEnd sender && type == UdpWire.ACK) {
      var unused = sender.onAck(in, at, from);
    } else if (current instanceof UdpEchoEnd asking && type == UdpWire.ACK) {
      var unused = asking.onAnswer(in, at, length, from);
    } else if (current instanceof UdpEchoEnd asking && type == UdpWire.MARKED) {
      asking.onMarked(in, at, length, from);
    } else if (current == null
        && socket != null
        && (type == UdpWire.CHALLENGE || type == UdpWire.ACCEPTED)
        && from.equals(server)
        && UdpWire.token(in, at).equals(run.token())
        && UdpWire.stream(in, at) == stream) {
      onAnswer(socket, type, UdpWire.secret(in, at));
    }
  }

  private void onAnswer(UdpSocket socket, int type, long secret) {
    if (type == UdpWire.CHALLENGE) {
      if (!challenged) {
        challenged = true;
        cookie = secret;
        send(socket, UdpWire.PROVE);
      }
      return;
    }
    FlowEnd made = made(socket, secret);
    end = made;
    joined.complete(made);
  }

  private FlowEnd made(UdpSocket socket, long secret) {
    if (!sending) {
      return new UdpReceiverEnd(socket, run.spec(), secret, server, run.clock(), run::serverMicros);
    }
    return run.spec().mode() == Mode.ECHO
        ? new UdpEchoEnd(socket, run.spec(), secret, server, run.clock(), echoes, marks)
        : new UdpSenderEnd(
            socket,
            run.spec(),
            UdpFormat.ebb(secret),
            server,
            run.clock(),
            run::serverMicros,
            run.latencies());
  }
}

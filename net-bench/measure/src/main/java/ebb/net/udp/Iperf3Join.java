package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.flow.FlowEnd;
import ebb.net.iperf.Iperf3Wire;
import ebb.net.mechanism.ClientRun;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's flow of datagrams until an iperf3 server has answered it; then it hands each datagram
 * to the flow's end. All of it is on the run's loop.
 */
final class Iperf3Join {
  private static final int RETRY_MILLIS = 500;

  private final ClientRun run;
  private final boolean sending;
  private final UdpFormat.Iperf3Format format;
  private final CompletableFuture<FlowEnd> joined = new CompletableFuture<>();
  private @Nullable UdpSocket bound;
  private @Nullable FlowEnd end;

  Iperf3Join(ClientRun run, boolean sending) {
    this.run = run;
    this.sending = sending;
    format = UdpFormat.iperf3(run.spec());
  }

  /**
   * Makes the flow known to the server.
   *
   * @return the flow, once the server has answered; fails with an {@link EbbException}
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
              "UDP does not reach the server's port " + run.server().getPort() + ", or not back"));
      return;
    }
    ByteBuf question = Iperf3Wire.connect(socket.channel().alloc());
    socket.send(question, Iperf3Wire.CONNECT_BYTES, run.server());
    question.release();
    var unused =
        socket
            .channel()
            .eventLoop()
            .schedule(() -> ask(socket, attemptsLeft - 1), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  void onDatagram(ByteBuf in, int at, int length, InetSocketAddress from) {
    UdpSocket socket = bound;
    if (socket == null || !from.equals(run.server())) {
      return;
    }
    if (end instanceof UdpReceiverEnd receiver) {
      receiver.onIperf3(in, at, length, format);
    } else if (end == null && Iperf3Wire.isConnected(in, at, length)) {
      FlowEnd made =
          sending
              ? new UdpSenderEnd(
                  socket,
                  run.spec(),
                  format,
                  run.server(),
                  run.clock(),
                  run::serverMicros,
                  run.latencies())
              : new UdpReceiverEnd(
                  socket, run.spec(), 0, run.server(), run.clock(), run::serverMicros);
      end = made;
      joined.complete(made);
    }
  }
}

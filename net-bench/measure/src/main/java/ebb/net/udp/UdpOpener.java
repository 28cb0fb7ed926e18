package ebb.net.udp;

import ebb.net.echo.EchoLog;
import ebb.net.echo.MarkLog;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowOpener;
import ebb.net.mechanism.ForeignServer;
import ebb.net.mechanism.ServiceMark;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A socket for each flow, which joins the session before it measures. */
final class UdpOpener implements FlowOpener {
  private final ClientRun run;
  private final EchoLog echoes;
  private final @Nullable MarkLog marks;
  private final List<UdpSocket> sockets = new ArrayList<>();
  private boolean closed;

  /**
   * echoes: where those of a run of echoes are counted; marks: where those are that are tried
   * beside them, null for none.
   */
  UdpOpener(ClientRun run, EchoLog echoes, @Nullable MarkLog marks) {
    this.run = run;
    this.echoes = echoes;
    this.marks = marks;
  }

  @Override
  public CompletableFuture<FlowEnd> open(int stream, boolean sending) {
    ForeignServer foreign = run.foreign();
    if (foreign != null) {
      Iperf3Join join = new Iperf3Join(run, sending);
      return foreign
          .turn(stream, sending)
          .thenCompose(free -> bind(stream, sending, join::onDatagram))
          .thenCompose(join::begin)
          .thenCompose(end -> foreign.connected(stream, sending, end));
    }
    UdpJoin join = new UdpJoin(run, stream, sending, echoes, marks);
    return bind(stream, sending, join::onDatagram).thenCompose(join::begin);
  }

  private CompletableFuture<UdpSocket> bind(
      int stream, boolean sending, UdpSocket.Receiver receiver) {
    return UdpSocket.bind(
            run.loop(), run.local(stream, sending), run.spec().windowBytes(), receiver)
        .thenApply(
            socket -> {
              sockets.add(socket);
              ServiceMark.of(run.spec()).ifPresent(socket::mark);
              if (closed) {
                socket.close();
              }
              return socket;
            });
  }

  @Override
  public void close() {
    run.loop()
        .loop()
        .execute(
            () -> {
              closed = true;
              sockets.forEach(UdpSocket::close);
            });
  }
}

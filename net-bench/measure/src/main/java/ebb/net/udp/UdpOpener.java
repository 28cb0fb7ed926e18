package ebb.net.udp;

import ebb.net.echo.EchoLog;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowOpener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A socket for each flow, which joins the session before it measures. */
final class UdpOpener implements FlowOpener {
  private final ClientRun run;
  private final EchoLog echoes;
  private final List<UdpSocket> sockets = new ArrayList<>();
  private boolean closed;

  /** echoes: where those of a run of echoes are counted. */
  UdpOpener(ClientRun run, EchoLog echoes) {
    this.run = run;
    this.echoes = echoes;
  }

  @Override
  public CompletableFuture<FlowEnd> open(int stream, boolean sending) {
    UdpJoin join = new UdpJoin(run, stream, sending, echoes);
    return UdpSocket.bind(run.loop(), run.local(), run.spec().windowBytes(), join::onDatagram)
        .thenCompose(
            socket -> {
              sockets.add(socket);
              if (closed) {
                socket.close();
              }
              return join.begin(socket);
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

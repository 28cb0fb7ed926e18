package ebb.net.udp;

import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowOpener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A socket for each flow, which joins the session before it measures. */
final class UdpOpener implements FlowOpener {
  private final ClientRun run;
  private final List<UdpSocket> sockets = new ArrayList<>();
  private boolean closed;

  UdpOpener(ClientRun run) {
    this.run = run;
  }

  @Override
  public CompletableFuture<FlowEnd> open(int stream, boolean sending) {
    UdpJoin join = new UdpJoin(run, stream, sending);
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

package ebb.net.tcp;

import ebb.net.flow.Column;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import java.util.List;

/** The kernel's TCP, on the server's own port. */
public final class TcpMechanism implements Mechanism {
  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public String summary() {
    return "TCP.";
  }

  @Override
  public List<Column> columns() {
    return List.of(Column.RETRANSMITTED, Column.CWND, Column.RTT, Column.ACKED);
  }

  @Override
  public ClientOptions clientOptions() {
    return new TcpOptions();
  }

  @Override
  public ServerOptions serverOptions() {
    return TcpAcceptor::new;
  }
}

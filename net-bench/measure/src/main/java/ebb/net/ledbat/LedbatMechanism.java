package ebb.net.ledbat;

import ebb.net.flow.Column;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import java.util.List;

/** Ebb's own transport, on the server's port over UDP. */
public final class LedbatMechanism implements Mechanism {
  @Override
  public String name() {
    return "ledbat";
  }

  @Override
  public String summary() {
    return "LEDBAT.";
  }

  @Override
  public List<Column> columns() {
    return LedbatColumns.ALL;
  }

  @Override
  public ClientOptions clientOptions() {
    return new LedbatFlowOptions();
  }

  @Override
  public ServerOptions serverOptions() {
    return new LedbatServerOptions();
  }
}

package ebb.net.ledbat;

import ebb.ledbat.command.ControllerOptions;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.ServerOptions;
import ebb.net.mechanism.ServerPlace;
import java.net.BindException;
import picocli.CommandLine.Mixin;

/** What a server may choose of what it sends by LEDBAT. */
final class LedbatServerOptions implements ServerOptions {
  @Mixin ControllerOptions sending = new ControllerOptions();

  @Override
  public FlowAcceptor accept(ServerPlace place) throws BindException {
    return LedbatAcceptor.bind(place, config());
  }

  /** For connections of clients, Ebb's alone. */
  LedbatConfig config() {
    LedbatConfigBuilder config =
        LedbatConfig.defaults().toBuilder()
            .accepting(true)
            .ebbOnly(true)
            .maxConnections(ServerPlace.MAX_CONNECTIONS);
    sending.applyTo(config);
    return config.build();
  }
}

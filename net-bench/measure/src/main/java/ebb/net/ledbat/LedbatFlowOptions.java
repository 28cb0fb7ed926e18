package ebb.net.ledbat;

import ebb.ledbat.command.IncomingOptions;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.FlowOpening;
import picocli.CommandLine.Mixin;

/** What a client may choose of LEDBAT where data may also come in. */
final class LedbatFlowOptions implements ClientOptions {
  @Mixin LedbatClientOptions sending = new LedbatClientOptions();

  @Mixin IncomingOptions incoming = new IncomingOptions();

  @Override
  public FlowOpening opening() {
    return LedbatClientOptions.opening(incoming(sending.tracedConfig()));
  }

  /** The same with what was chosen for what comes in. */
  LedbatConfig incoming(LedbatConfig config) {
    LedbatConfigBuilder builder = config.toBuilder();
    incoming.applyTo(builder);
    return builder.build();
  }

  @Override
  public void close() {
    sending.close();
  }
}

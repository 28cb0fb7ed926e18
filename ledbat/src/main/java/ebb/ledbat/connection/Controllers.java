package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.LedbatParameters;
import ebb.ledbat.wire.Packet;

/** Makes the controller that a configuration names, with the parameters that it sets. */
final class Controllers {
  private Controllers() {}

  static CongestionController create(LedbatConfig config) {
    long targetDelayMicros =
        config.targetDelayMicros() == 0
            ? CongestionControllers.defaultTargetDelayMicros(config.controller())
            : config.targetDelayMicros();
    LedbatParameters parameters =
        new LedbatParameters(
            targetDelayMicros,
            config.gain(),
            config.allowedIncreaseMss(),
            config.initCwndMss(),
            config.minCwndMss(),
            config.baseHistoryMinutes(),
            config.currentFilterSamples(),
            config.slowStart());
    return CongestionControllers.create(
        config.controller(), parameters, config.initialDatagramBytes() - Packet.HEADER_BYTES);
  }
}

package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.LedbatParameters;
import ebb.ledbat.congestion.SwitchableController;
import ebb.ledbat.wire.Packet;

/** Makes the controller that a configuration names, with the parameters that it sets. */
final class Controllers {
  private Controllers() {}

  static SwitchableController create(LedbatConfig config) {
    boolean ownTarget = config.targetDelayMicros() == 0;
    LedbatParameters parameters =
        new LedbatParameters(
            ownTarget ? LedbatParameters.MAX_TARGET_DELAY_MICROS : config.targetDelayMicros(),
            config.gain(),
            config.allowedIncreaseMss(),
            config.initCwndMss(),
            config.minCwndMss(),
            config.baseHistoryMinutes(),
            config.currentFilterSamples(),
            config.slowStart());
    return new SwitchableController(
        config.controller(),
        parameters,
        ownTarget,
        config.initialDatagramBytes() - Packet.HEADER_BYTES);
  }
}

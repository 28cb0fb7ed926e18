package ebb.net.port;

import ebb.net.control.TestSpec.Protocol;

/** Provides {@link StopAndWaitPort}: stop-and-wait over LEDBAT. */
public final class LedbatStopAndWait extends RunComponent<StopAndWaitPort> {
  public LedbatStopAndWait() {
    super(StopAndWaitPort.class, Protocol.LEDBAT);
  }
}

package ebb.net.port;

import ebb.net.control.TestSpec.Protocol;

/** Provides {@link StopAndWaitPort}: stop-and-wait over UDP. */
public final class UdpStopAndWait extends RunComponent<StopAndWaitPort> {
  public UdpStopAndWait() {
    super(StopAndWaitPort.class, Protocol.UDP);
  }
}

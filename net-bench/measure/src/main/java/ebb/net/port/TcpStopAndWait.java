package ebb.net.port;

import ebb.net.control.TestSpec.Protocol;

/** Provides {@link StopAndWaitPort}: stop-and-wait over TCP. */
public final class TcpStopAndWait extends RunComponent<StopAndWaitPort> {
  public TcpStopAndWait() {
    super(StopAndWaitPort.class, Protocol.TCP);
  }
}

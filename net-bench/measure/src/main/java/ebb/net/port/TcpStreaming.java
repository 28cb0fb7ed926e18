package ebb.net.port;

import ebb.net.control.TestSpec.Protocol;

/** Provides {@link StreamingPort}: streaming over TCP. */
public final class TcpStreaming extends RunComponent<StreamingPort> {
  public TcpStreaming() {
    super(StreamingPort.class, Protocol.TCP);
  }
}

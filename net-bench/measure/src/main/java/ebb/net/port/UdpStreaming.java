package ebb.net.port;

import ebb.net.control.TestSpec.Protocol;

/** Provides {@link StreamingPort}: streaming over UDP. */
public final class UdpStreaming extends RunComponent<StreamingPort> {
  public UdpStreaming() {
    super(StreamingPort.class, Protocol.UDP);
  }
}

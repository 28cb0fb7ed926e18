package ebb.net.port;

import ebb.net.control.TestSpec.Protocol;

/** Provides {@link StreamingPort}: streaming over LEDBAT. */
public final class LedbatStreaming extends RunComponent<StreamingPort> {
  public LedbatStreaming() {
    super(StreamingPort.class, Protocol.LEDBAT);
  }
}

package ebb.net.port;

import se.sics.kompics.PortType;

/** Runs in which each message is sent back for itself. */
public final class EchoPort extends PortType {
  {
    request(RunEvents.StartRun.class);
    request(RunEvents.FinishRun.class);
    request(RunEvents.StopRun.class);
    indication(RunEvents.Sampled.class);
    indication(RunEvents.Finished.class);
    indication(RunEvents.Failed.class);
  }
}

package ebb.net.port;

import se.sics.kompics.PortType;

/** Runs in which each message waits for the acknowledgement of the one before. */
public final class StopAndWaitPort extends PortType {
  {
    request(RunEvents.StartRun.class);
    request(RunEvents.FinishRun.class);
    request(RunEvents.StopRun.class);
    indication(RunEvents.Sampled.class);
    indication(RunEvents.Finished.class);
    indication(RunEvents.Failed.class);
  }
}

package ebb.net.port;

import se.sics.kompics.PortType;

/** Runs in which messages follow one another without waiting. */
public final class StreamingPort extends PortType {
  {
    request(RunEvents.StartRun.class);
    request(RunEvents.FinishRun.class);
    request(RunEvents.StopRun.class);
    indication(RunEvents.Sampled.class);
    indication(RunEvents.Finished.class);
    indication(RunEvents.Failed.class);
  }
}

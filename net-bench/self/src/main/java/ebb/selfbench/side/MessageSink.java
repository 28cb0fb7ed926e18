package ebb.selfbench.side;

import ebb.core.kompics.PayloadMsg;
import ebb.core.kompics.PunctualComponent;
import ebb.selfbench.process.Meter;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.Network;
import se.sics.kompics.timer.Timer;

/** Counts messages, sees that they come in order, and acknowledges some of them for all. */
public final class MessageSink extends ComponentDefinition {
  private final Positive<Network> network = requires(Network.class);
  private final Init init;
  private long expected;

  public MessageSink(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    requires(Timer.class);
    handle(control, Start.class, this::handleStart);
    handle(network, PayloadMsg.class, this::handleMessage);
  }

  private void handleStart(Start start) {
    System.out.println("PORT " + init.port);
  }

  private void handleMessage(PayloadMsg message) {
    if (message.number() != expected && !init.load.lossy()) {
      System.out.println("FAILED message " + message.number() + " came instead of " + expected);
    }
    expected = message.number() + 1;
    init.meter.add(message.payload().length);
    if (expected % init.load.messagesPerAck() == 0) {
      trigger(message.ack(), network);
    }
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<MessageSink> {
    final int port;
    final MessageLoad load;
    final Meter meter;

    Init(int port, MessageLoad load, Meter meter) {
      this.port = port;
      this.load = load;
      this.meter = meter;
    }
  }
}

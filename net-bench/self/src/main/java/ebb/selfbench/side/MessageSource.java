package ebb.selfbench.side;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.PayloadAck;
import ebb.core.kompics.PayloadMsg;
import ebb.core.kompics.PunctualComponent;
import ebb.selfbench.process.Meter;
import java.util.Random;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.Network;
import se.sics.kompics.timer.SchedulePeriodicTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/** Keeps a window of unacknowledged messages full. */
public final class MessageSource extends ComponentDefinition {
  /** After this long without an acknowledgement, what is out is taken for lost. */
  private static final long LOST_MILLIS = 20;

  private final Positive<Network> network = requires(Network.class);
  private final Positive<Timer> timer = requires(Timer.class);
  private final Init init;
  private final EbbHeader header;
  private final byte[] content;
  private long sent;
  private long acked;
  private boolean heard;
  private boolean connected;

  public MessageSource(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    header = new EbbHeader(init.self, init.peer, init.load.transport());
    // Bytes that do not compress, as those of media do not: NettyNetwork's TCP always compresses,
    // and takes twice as long over zeros.
    content = new byte[init.load.messageBytes()];
    new Random(1).nextBytes(content);
    handle(control, Start.class, this::handleStart);
    handle(network, PayloadAck.class, this::handleAck);
    handle(timer, Silence.class, this::handleSilence);
  }

  private void handleStart(Start start) {
    if (init.load.lossy()) {
      SchedulePeriodicTimeout request = new SchedulePeriodicTimeout(LOST_MILLIS, LOST_MILLIS);
      request.setTimeoutEvent(new Silence(request));
      trigger(request, timer);
    }
    fill();
  }

  private void handleAck(PayloadAck ack) {
    if (!connected) {
      connected = true;
      System.out.println("CONNECTED");
    }
    heard = true;
    acked = Math.max(acked, ack.number() + 1);
    fill();
  }

  private void handleSilence(Silence silence) {
    if (!heard) {
      acked = sent;
      fill();
    }
    heard = false;
  }

  private void fill() {
    while (sent - acked < init.load.window()) {
      trigger(new PayloadMsg(header, sent++, content), network);
      init.meter.add(content.length);
    }
  }

  private static final class Silence extends Timeout {
    Silence(SchedulePeriodicTimeout request) {
      super(request);
    }
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<MessageSource> {
    final EbbAddress self;
    final EbbAddress peer;
    final MessageLoad load;
    final Meter meter;

    Init(EbbAddress self, EbbAddress peer, MessageLoad load, Meter meter) {
      this.self = self;
      this.peer = peer;
      this.load = load;
      this.meter = meter;
    }
  }
}

package ebb.net.client;

import ebb.core.time.MicroClock;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Asks a server for the time, quickly at first and then four times a second, and notices when it
 * falls silent. It lives on the connection's loop.
 */
final class ClockPulse {
  private static final int FIRST_PINGS = 10;
  private static final int FIRST_PING_MILLIS = 20;
  private static final int PING_MILLIS = 250;

  /** The server pings back and reports ten times a second. */
  private static final long SILENCE_MICROS = 15_000_000;

  private final MicroClock clock;
  private final ServerClock serverClock = new ServerClock();
  private final CompletableFuture<Void> known = new CompletableFuture<>();
  private int answers;
  private long heardMicros;

  ClockPulse(MicroClock clock) {
    this.clock = clock;
  }

  /** What has been learnt. */
  ServerClock serverClock() {
    return serverClock;
  }

  /** Done when the first answers are there. */
  CompletableFuture<Void> known() {
    return known;
  }

  /** The first questions. */
  void begin(Channel connected) {
    for (int i = 0; i < FIRST_PINGS; i++) {
      var unused =
          connected
              .eventLoop()
              .schedule(
                  () -> ControlChannel.send(connected, new Ping(clock.nowMicros())),
                  (long) i * FIRST_PING_MILLIS,
                  TimeUnit.MILLISECONDS);
    }
  }

  /**
   * The later ones, until the connection ends.
   *
   * @param silent told when nothing came for long
   */
  void goOn(Channel connected, Runnable silent) {
    var pulse =
        connected
            .eventLoop()
            .scheduleAtFixedRate(
                () -> pulse(connected, silent), PING_MILLIS, PING_MILLIS, TimeUnit.MILLISECONDS);
    // The loop may outlive this connection.
    var unused = connected.closeFuture().addListener(closed -> pulse.cancel(false));
  }

  private void pulse(Channel connected, Runnable silent) {
    if (clock.nowMicros() - heardMicros > SILENCE_MICROS) {
      silent.run();
    } else if (connected.isWritable()) {
      ControlChannel.send(connected, new Ping(clock.nowMicros()));
    }
  }

  /** Something came. */
  void heard(long nowMicros) {
    heardMicros = nowMicros;
  }

  void onAnswer(Pong pong, long nowMicros) {
    serverClock.onAnswer(pong.clientMicros(), pong.serverMicros(), nowMicros);
    if (++answers == FIRST_PINGS) {
      known.complete(null);
    }
  }
}

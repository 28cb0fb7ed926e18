package ebb.net.udp;

import ebb.core.time.MicroClock;
import ebb.net.echo.MarkLog;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server all the time, beside echoes of the same flow, with which marks datagrams come there
 * and back. What became of them is {@link MarkLog}'s. On the socket's loop.
 */
final class MarkProbe {
  /** 13 kbit/s with their headers. */
  private static final int INTERVAL_MILLIS = 200;

  private final UdpSocket socket;
  private final long key;
  private final InetSocketAddress peer;
  private final MicroClock clock;
  private final MarkLog log;
  private @Nullable Future<?> timer;

  MarkProbe(UdpSocket socket, long key, InetSocketAddress peer, MicroClock clock, MarkLog log) {
    this.socket = socket;
    this.key = key;
    this.peer = peer;
    this.clock = clock;
    this.log = log;
  }

  void start() {
    if (timer == null) {
      var unused = socket.lookAtMarks();
      // The server's filter is there after a first question, which does not count.
      send(0, log.next());
      timer =
          socket
              .channel()
              .eventLoop()
              .scheduleAtFixedRate(
                  this::ask, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void ask() {
    int tos = log.next();
    if (log.open() && send(log.asked() + 1, tos)) {
      log.onSent();
    }
  }

  private boolean send(long number, int tos) {
    ByteBuf question = socket.channel().alloc().directBuffer(UdpWire.MARK_BYTES);
    UdpWire.mark(question, UdpWire.MARK, number, key, clock.nowMicros(), tos, MarkFilter.UNSEEN);
    boolean went = socket.sendMarked(question, peer, tos);
    question.release();
    return went;
  }

  void onAnswer(ByteBuf in, int at, int length, InetSocketAddress from) {
    if (from.equals(peer)) {
      log.onAnswer(
          UdpWire.number(in, at) - 1,
          UdpWire.tos(in, at),
          UdpWire.seen(in, at),
          MarkFilter.seen(length));
    }
  }

  void stop() {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
  }
}

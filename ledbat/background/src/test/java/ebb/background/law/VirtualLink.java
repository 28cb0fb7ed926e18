package ebb.background.law;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** A bottleneck with a drop-tail buffer on virtual time, and the flows that cross it. */
final class VirtualLink {
  static final int PACKET_BYTES = 1448;

  private record Event(long at, long order, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) -> a.at == b.at ? Long.compare(a.order, b.order) : Long.compare(a.at, b.at));
  private final double bytesPerMicro;
  private final long bufferMicros;
  private final List<Long> queues = new ArrayList<>();
  private long baseMicros;
  private boolean timestamps = true;
  private long order;
  private long now;
  private long emptyAt;
  private long jitterMicros;
  private long lastArrival;
  private Random random = new Random(0);

  VirtualLink(double megabits, long baseMicros, long bufferMicros) {
    bytesPerMicro = megabits / 8;
    this.baseMicros = baseMicros;
    this.bufferMicros = bufferMicros;
  }

  long now() {
    return now;
  }

  double bytesPerSecond() {
    return bytesPerMicro * 1e6;
  }

  /** Flows from now on have to tell round trips by what the window allowed, and when. */
  void withoutTimestamps() {
    timestamps = false;
  }

  /** Packets are late by up to that from now on, and stay in order. */
  void setJitter(long mostMicros, long seed) {
    jitterMicros = mostMicros;
    random = new Random(seed);
  }

  void setBase(long micros) {
    baseMicros = micros;
  }

  void at(long time, Runnable action) {
    events.add(new Event(Math.max(now, time), order++, action));
  }

  void runUntil(long end) {
    for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
      events.poll();
      now = next.at;
      next.action.run();
    }
    now = end;
  }

  /** Notes how long a packet would wait, each 10 ms from now on. */
  void watchQueue() {
    queues.add(Math.max(0, emptyAt - now));
    at(now + 10_000, this::watchQueue);
  }

  long medianQueueMicros() {
    return queues.stream().sorted().skip(queues.size() / 2).findFirst().orElseThrow();
  }

  /** A TCP sender with Reno's window and its receiver, which may be controlled. */
  final class Flow {
    final SharedWindow.Member member;
    private final SharedWindow shared;
    private double cwnd = 10;
    private double threshold = 1e9;
    private int inFlight;
    private long sentBytes;
    private long offered;
    private long edge;
    private long lastEcho;
    private long cutAt;
    private boolean paused;
    private boolean over;
    private long received;
    private long losses;
    private long lastRtt;
    private final EdgeRoundTrip edges = timestamps ? null : new EdgeRoundTrip();

    /** shared: null for a flow that nobody holds back. */
    Flow(SharedWindow shared) {
      this.shared = shared;
      member = shared == null ? null : shared.join(now, baseMicros);
      offered = shared == null ? Long.MAX_VALUE : 10 * PACKET_BYTES;
      edge = offered;
      lastEcho = now - baseMicros / 2; // of the handshake
      if (shared != null) {
        tick();
      }
      send();
    }

    long received() {
      return received;
    }

    void pause(boolean on) {
      paused = on;
      send();
    }

    void end() {
      over = true;
      if (member != null) {
        member.leave();
      }
    }

    private void tick() {
      if (over) {
        return;
      }
      look();
      at(now + shared.tickMicros(), this::tick);
    }

    private void look() {
      long rtt =
          edges == null ? lastRtt : edges.sample(now, received, Math.max(0, offered - received), 0);
      member.sample(now, received, received / PACKET_BYTES, losses, rtt, PACKET_BYTES);
    }

    private void send() {
      while (!over && !paused && inFlight < cwnd && sentBytes + PACKET_BYTES <= edge) {
        inFlight++;
        sentBytes += PACKET_BYTES;
        long echo = lastEcho;
        long wait = Math.max(0, emptyAt - now);
        if (wait > bufferMicros) {
          at(now + wait + baseMicros, this::lost);
        } else {
          emptyAt = now + wait + Math.round(PACKET_BYTES / bytesPerMicro);
          long late = jitterMicros == 0 ? 0 : random.nextLong(jitterMicros);
          lastArrival = Math.max(lastArrival, emptyAt + baseMicros / 2 + late);
          at(lastArrival, () -> arrive(echo));
        }
      }
    }

    private void arrive(long echo) {
      received += PACKET_BYTES;
      long sample = now - echo;
      // As Linux 6.16 and later keep it: a lower one counts at once.
      lastRtt = lastRtt == 0 || sample < lastRtt ? sample : lastRtt + (sample - lastRtt) / 8;
      if (member != null) {
        offered = Math.max(offered, received + member.windowBytes());
        if (edges != null) {
          look();
        }
      }
      long sent = now;
      long until = offered;
      at(now + baseMicros / 2, () -> acknowledged(sent, until));
    }

    private void acknowledged(long echo, long until) {
      lastEcho = echo;
      edge = until;
      inFlight--;
      cwnd += cwnd < threshold ? 1 : 1 / cwnd;
      send();
    }

    private void lost() {
      inFlight--;
      losses++;
      received += PACKET_BYTES; // it is sent again at once, as far as a window is concerned
      if (member != null) {
        offered = Math.max(offered, received + member.windowBytes());
        edge = offered; // or nothing would come any more, where the window is of one packet
      }
      if (now - cutAt > baseMicros + bufferMicros) {
        cutAt = now;
        cwnd = Math.max(2, cwnd / 2);
        threshold = cwnd;
      }
      send();
    }
  }
}

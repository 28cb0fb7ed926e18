package ebb.ledbat.netty;

import ebb.ledbat.endpoint.Transmit;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that records what the driver does to it and sends what a test tells it to. */
final class FakeEngine implements DatagramEngine {
  record Burst(InetSocketAddress from, byte[] bytes, int segmentSizeBytes) {
    List<byte[]> datagrams() {
      List<byte[]> all = new ArrayList<>();
      for (int at = 0; at < bytes.length; at += segmentSizeBytes) {
        all.add(
            java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + segmentSizeBytes)));
      }
      return all;
    }
  }

  record ToSend(InetSocketAddress to, byte[] bytes, int segmentSizeBytes, boolean dontFragment) {}

  record TooLarge(InetSocketAddress destination, int datagramBytes) {}

  record Fired(long deadlineMicros, long nowMicros) {}

  final BlockingQueue<Burst> received = new LinkedBlockingQueue<>();
  final BlockingQueue<TooLarge> tooLarge = new LinkedBlockingQueue<>();
  final BlockingQueue<InetSocketAddress> unreachable = new LinkedBlockingQueue<>();
  final BlockingQueue<Fired> fired = new LinkedBlockingQueue<>();
  final Queue<ToSend> toSend = new ConcurrentLinkedQueue<>();
  final PriorityQueue<Long> deadlines = new PriorityQueue<>();
  final ArrayDeque<ToSend> whenClosed = new ArrayDeque<>();
  final AtomicInteger failReceives = new AtomicInteger();
  final AtomicInteger failTimeouts = new AtomicInteger();
  final AtomicInteger failTransmits = new AtomicInteger();
  final AtomicInteger endsOfBurst = new AtomicInteger();
  final AtomicInteger closes = new AtomicInteger();
  final AtomicInteger polled = new AtomicInteger();
  volatile boolean blockedOnce;
  private Thread thread;

  void send(InetSocketAddress to, byte[] bytes, int segmentSizeBytes) {
    toSend.add(new ToSend(to, bytes, segmentSizeBytes, true));
  }

  /** Every call must come from one thread, and none from inside another. */
  private boolean inside;

  private void enter() {
    if (thread == null) {
      thread = Thread.currentThread();
    }
    if (thread != Thread.currentThread() || inside) {
      throw new AssertionError("called from " + Thread.currentThread() + ", inside: " + inside);
    }
    inside = true;
  }

  private void leave() {
    inside = false;
  }

  @Override
  public void receive(
      InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, long nowMicros) {
    enter();
    try {
      if (failReceives.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new IllegalStateException("a test's failure in receive");
      }
      byte[] bytes = new byte[burst.remaining()];
      burst.get(bytes);
      received.add(new Burst(from, bytes, segmentSizeBytes));
    } finally {
      leave();
    }
  }

  @Override
  public void endOfBurst(long nowMicros) {
    enter();
    endsOfBurst.incrementAndGet();
    leave();
  }

  @Override
  public void onTimeout(long nowMicros) {
    enter();
    try {
      if (failTimeouts.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new IllegalStateException("a test's failure in onTimeout");
      }
      for (Long due = deadlines.peek(); due != null && due <= nowMicros; due = deadlines.peek()) {
        fired.add(new Fired(deadlines.poll(), nowMicros));
      }
    } finally {
      leave();
    }
  }

  @Override
  public long nextTimeoutMicros() {
    Long next = deadlines.peek();
    return next == null ? Long.MAX_VALUE : next;
  }

  @Override
  public boolean pollTransmit(Transmit out, long nowMicros) {
    enter();
    try {
      if (failTransmits.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new IllegalStateException("a test's failure in pollTransmit");
      }
      ToSend next = toSend.peek();
      if (next == null) {
        return false;
      }
      polled.incrementAndGet();
      // As the real engine: never more datagrams than the driver can send at once.
      int bytes = Math.min(next.bytes.length, out.maxSegments * next.segmentSizeBytes);
      toSend.poll();
      if (bytes < next.bytes.length) {
        List<ToSend> rest = new ArrayList<>(toSend);
        toSend.clear();
        toSend.add(
            new ToSend(
                next.to,
                java.util.Arrays.copyOfRange(next.bytes, bytes, next.bytes.length),
                next.segmentSizeBytes,
                next.dontFragment));
        toSend.addAll(rest);
      }
      out.buffer.put(next.bytes, 0, bytes).flip();
      out.destination = next.to;
      out.segmentSizeBytes = next.segmentSizeBytes;
      out.dontFragment = next.dontFragment;
      return true;
    } finally {
      leave();
    }
  }

  @Override
  public void onTooLarge(InetSocketAddress destination, int datagramBytes, long nowMicros) {
    enter();
    tooLarge.add(new TooLarge(destination, datagramBytes));
    leave();
  }

  @Override
  public void onUnreachable(InetSocketAddress remote, long nowMicros) {
    enter();
    unreachable.add(remote);
    leave();
  }

  @Override
  public void close(long nowMicros) {
    enter();
    closes.incrementAndGet();
    toSend.clear();
    toSend.addAll(whenClosed);
    leave();
  }
}

package ebb.interop;

import ebb.core.rand.SeededRandom;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A network between two UDP programs on this machine, on one thread: an initiator sends to {@link
 * #address}, a listener hears it from the relay and answers there. The first address that sends is
 * the initiator's; datagrams of anybody else are dropped uncounted. What happens on the way is
 * {@link RelayConditions}; chance is seeded, so the fate of the n-th datagram of a direction
 * depends on the seed alone. Real time: a datagram is late by up to a millisecond.
 */
public final class LossyRelay implements AutoCloseable {
  private static final int SOCKET_BUFFER_BYTES = 4 << 20;
  private static final int READS_AT_ONCE = 64;
  private static final long JOIN_MILLIS = 5_000;

  private final DatagramChannel front;
  private final DatagramChannel back;
  private final Selector selector;
  private final RelayDirection toListener;
  private final RelayDirection toInitiator;
  private final RelayTap tap;
  private final InetSocketAddress address;
  private final Thread thread;
  private @Nullable InetSocketAddress initiator;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(RelayConditions.MAX_DATAGRAM_BYTES + 1);
  private volatile boolean closing;

  private LossyRelay(
      InetSocketAddress listener,
      RelayConditions conditions,
      long seed,
      RelayTap tap,
      DatagramChannel front,
      DatagramChannel back,
      Selector selector)
      throws IOException {
    this.front = front;
    this.back = back;
    this.selector = selector;
    this.tap = tap;
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (DatagramChannel channel : new DatagramChannel[] {front, back}) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
      channel.bind(anyPort);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
    }
    back.connect(listener);
    address = (InetSocketAddress) front.getLocalAddress();
    SeededRandom random = new SeededRandom(seed);
    toListener = new RelayDirection(conditions, conditions.lossToListener(), random.split(), back);
    toInitiator =
        new RelayDirection(conditions, conditions.lossToInitiator(), random.split(), front);
    toListener.setDestination(listener);
    thread = new Thread(this::run, "lossy-relay");
    thread.setDaemon(true);
  }

  /** A relay to {@code listener}, which must be on this machine's loopback. */
  public static LossyRelay start(
      InetSocketAddress listener, RelayConditions conditions, long seed, RelayTap tap)
      throws IOException {
    if (!listener.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException("the listener is not on loopback: " + listener);
    }
    Selector selector = Selector.open();
    DatagramChannel front = DatagramChannel.open();
    DatagramChannel back = DatagramChannel.open();
    boolean started = false;
    try {
      LossyRelay relay = new LossyRelay(listener, conditions, seed, tap, front, back, selector);
      relay.thread.start();
      started = true;
      return relay;
    } finally {
      if (!started) {
        front.close();
        back.close();
        selector.close();
      }
    }
  }

  /** Where the initiator connects to. */
  public InetSocketAddress address() {
    return address;
  }

  /** What was done with the initiator's datagrams; exact once the relay is stopped. */
  public RelayCounts toListener() {
    return toListener.counts();
  }

  /** What was done with the listener's datagrams; exact once the relay is stopped. */
  public RelayCounts toInitiator() {
    return toInitiator.counts();
  }

  private void run() {
    try (front;
        back;
        selector) {
      while (!closing) {
        waitForWork();
        boolean more = read(front, toListener, true);
        more |= read(back, toInitiator, false);
        while (more && !closing) {
          more = read(front, toListener, true);
          more |= read(back, toInitiator, false);
        }
      }
    } catch (IOException e) {
      // A selector or socket of our own failed: the network is gone, and the test will say so.
    }
  }

  private void waitForWork() throws IOException {
    long dueNanos = Math.min(toListener.nextDueNanos(), toInitiator.nextDueNanos());
    if (dueNanos == Long.MAX_VALUE) {
      selector.select();
    } else {
      long waitMillis = (dueNanos - System.nanoTime() + 999_999) / 1_000_000;
      if (waitMillis > 0) {
        selector.select(waitMillis);
      }
    }
    selector.selectedKeys().clear();
  }

  /** Reads a bounded number, so that no direction waits for the other; whether there was any. */
  private boolean read(DatagramChannel from, RelayDirection direction, boolean fromInitiator)
      throws IOException {
    int reads = 0;
    while (reads < READS_AT_ONCE && receive(from, fromInitiator)) {
      reads++;
      long nowNanos = System.nanoTime();
      buffer.flip();
      tap.onDatagram(fromInitiator, buffer, nowNanos);
      direction.onDatagram(buffer, nowNanos);
    }
    direction.forwardDue(System.nanoTime());
    return reads > 0;
  }

  private boolean receive(DatagramChannel from, boolean fromInitiator) throws IOException {
    buffer.clear();
    if (!fromInitiator) {
      try {
        return from.read(buffer) > 0;
      } catch (PortUnreachableException e) {
        return false; // ICMP for what was sent earlier: a network would have lost it as well.
      }
    }
    // Not connected to the initiator: connecting throws away what has already arrived.
    SocketAddress sender = from.receive(buffer);
    if (sender instanceof InetSocketAddress address && initiator == null) {
      initiator = address;
      toInitiator.setDestination(address);
    }
    return sender != null && sender.equals(initiator);
  }

  @Override
  public void close() {
    stop();
  }

  /** Ends the relay; what is on its way is dropped, and the counts change no more. Idempotent. */
  public void stop() {
    closing = true;
    selector.wakeup();
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

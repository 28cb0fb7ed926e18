package ebb.ledbat.kompics;

import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A plain driver for tests: one thread, one socket, one datagram per call. */
final class SocketDriver implements EndpointDriver, Runnable {
  private record Due(long atMicros, Task task) {}

  private final MicroClock clock = MicroClock.system();
  private final DatagramChannel channel;
  private final Selector selector;
  private final InetSocketAddress local;
  private final LedbatEndpoint endpoint;
  private final ConcurrentLinkedQueue<Due> arriving = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Due> later =
      new PriorityQueue<>((a, b) -> Long.compare(a.atMicros, b.atMicros));
  private final Transmit transmit = new Transmit(ByteBuffer.allocateDirect(65_507), 1);
  private final ByteBuffer in = ByteBuffer.allocateDirect(65_535);
  private final Thread thread;
  private volatile boolean closing;

  private SocketDriver(InetSocketAddress local, LedbatConfig config, EndpointListener listener)
      throws IOException {
    channel = DatagramChannel.open();
    try {
      channel.bind(local);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.configureBlocking(false);
    this.local = (InetSocketAddress) channel.getLocalAddress();
    selector = Selector.open();
    channel.register(selector, SelectionKey.OP_READ);
    endpoint = new LedbatEndpoint(config, new UnpredictableRandom(), listener);
    thread = new Thread(this, "driver-" + local.getPort());
    thread.setDaemon(true);
    thread.start();
  }

  static EndpointDriver start(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    return new SocketDriver(local, config, listener);
  }

  @Override
  public void execute(Task task) {
    arriving.add(new Due(Long.MIN_VALUE, task));
    selector.wakeup();
  }

  @Override
  public void schedule(long delayMicros, Task task) {
    arriving.add(new Due(clock.nowMicros() + delayMicros, task));
    selector.wakeup();
  }

  @Override
  public long nowMicros() {
    return clock.nowMicros();
  }

  @Override
  public InetSocketAddress localAddress() {
    return local;
  }

  @Override
  public void close() {
    closing = true;
    selector.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try (channel;
        selector) {
      while (!closing) {
        cycle();
        long wait = Math.min(nextMicros() - clock.nowMicros(), 100_000);
        if (wait >= 1_000) {
          selector.select(wait / 1_000);
        } else {
          selector.selectNow();
        }
      }
      cycle();
      endpoint.close(clock.nowMicros());
      cycle();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private long nextMicros() {
    long next = endpoint.nextTimeoutMicros();
    return later.isEmpty() ? next : Math.min(next, later.peek().atMicros);
  }

  private void cycle() throws IOException {
    for (int i = 0; i < 64; i++) {
      in.clear();
      InetSocketAddress from = (InetSocketAddress) channel.receive(in);
      if (from == null) {
        break;
      }
      in.flip();
      endpoint.receive(from, in, Math.max(1, in.remaining()), clock.nowMicros());
    }
    for (Due due = arriving.poll(); due != null; due = arriving.poll()) {
      if (due.atMicros == Long.MIN_VALUE) {
        due.task.run(endpoint, clock.nowMicros());
      } else {
        later.add(due);
      }
    }
    while (!later.isEmpty() && later.peek().atMicros <= clock.nowMicros()) {
      later.poll().task.run(endpoint, clock.nowMicros());
    }
    if (endpoint.nextTimeoutMicros() <= clock.nowMicros()) {
      endpoint.onTimeout(clock.nowMicros());
    }
    endpoint.endOfBurst(clock.nowMicros());
    while (endpoint.pollTransmit(transmit, clock.nowMicros())) {
      try {
        channel.send(transmit.buffer, transmit.destination);
      } catch (IOException e) {
        endpoint.onUnreachable(transmit.destination, clock.nowMicros());
      }
    }
  }
}

package ebb.ledbat.live;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many connections between two endpoints of this process, all open at once and all with the same to
 * send: first all are opened, then all are given their bytes. Prints one line of figures; a failure
 * is an exception and exit code 1.
 */
final class ManyConnections {
  private static final int AT_ONCE = 500;
  private static final long LIMIT_SECONDS = 120;

  private final int connections;
  private final int bytesEach;
  private final ByteBuffer content;
  private final LiveEndpoint server;
  private final LiveEndpoint client;
  private final One[] all;
  private final CountDownLatch connected;
  private final CountDownLatch acked;
  private final CountDownLatch closed;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong readBytes = new AtomicLong();
  private long startNanos;
  private long ackedBytes;
  private double jainAtHalf = -1;

  private ManyConnections(int connections, int bytesEach) throws Exception {
    this.connections = connections;
    this.bytesEach = bytesEach;
    content = ByteBuffer.allocate(bytesEach).asReadOnlyBuffer();
    // As the ebb commands bound their buffers.
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .maxConnections(connections)
            .maxBufferedBytes(Runtime.getRuntime().maxMemory() / 4)
            .connectTimeoutMicros(60_000_000)
            .build();
    server = LiveEndpoint.sink(config, readBytes);
    client = LiveEndpoint.sink(config, new AtomicLong());
    all = new One[connections];
    connected = new CountDownLatch(connections);
    acked = new CountDownLatch(connections);
    closed = new CountDownLatch(connections);
  }

  /** Arguments: connections, bytes for each to send. */
  public static void main(String[] args) throws Exception {
    new ManyConnections(Integer.parseInt(args[0]), Integer.parseInt(args[1])).run();
    System.exit(0);
  }

  private final class One implements ConnectionListener {
    private final ByteBuffer left = content.duplicate();
    private LedbatConnection connection;
    private long bytesAcked;
    private long doneNanos;

    @Override
    public void onConnected(LedbatConnection c) {
      connected.countDown();
    }

    void send(long now) {
      connection.write(left, now);
    }

    @Override
    public void onWritable(LedbatConnection c) {
      send(client.driver.nowMicros());
    }

    @Override
    public void onAcked(LedbatConnection c) {
      long total = c.stats(client.driver.nowMicros()).bytesAcked();
      ackedBytes += total - bytesAcked;
      bytesAcked = total;
      if (jainAtHalf < 0 && ackedBytes >= (long) connections * bytesEach / 2) {
        jainAtHalf = jain();
      }
      if (total == bytesEach && doneNanos == 0) {
        doneNanos = System.nanoTime() - startNanos;
        acked.countDown();
      }
    }

    @Override
    public void onClosed(LedbatConnection c, CloseReason reason) {
      if (reason != CloseReason.FINISHED) {
        System.err.println("a connection ended: " + reason);
        failures.incrementAndGet();
      }
      closed.countDown();
    }
  }

  /** (sum x)^2 / (n sum x^2): 1 when all got the same, 1/n when one got all. */
  private double jain() {
    double sum = 0;
    double squares = 0;
    for (One one : all) {
      sum += one.bytesAcked;
      squares += (double) one.bytesAcked * one.bytesAcked;
    }
    return sum * sum / (connections * squares);
  }

  private static void await(CountDownLatch latch, String what) throws InterruptedException {
    if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(latch.getCount() + " were never " + what);
    }
  }

  private void run() throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < connections; i += AT_ONCE) {
      int from = i;
      int to = Math.min(connections, i + AT_ONCE);
      client.driver.execute(
          (endpoint, now) -> {
            for (int k = from; k < to; k++) {
              all[k] = new One();
              all[k].connection = endpoint.connect(server.address(), all[k], now);
            }
          });
      long due = connections - to;
      while (connected.getCount() > due && System.nanoTime() - start < LIMIT_SECONDS * 1e9) {
        Thread.onSpinWait();
      }
    }
    await(connected, "connected");
    final double connectSeconds = (System.nanoTime() - start) / 1e9;
    final int open = server.ask(endpoint -> endpoint.connectionCount());
    final int halfOpen = server.stats().halfOpen();
    client.driver.execute(
        (endpoint, now) -> {
          startNanos = System.nanoTime();
          for (One one : all) {
            one.send(now);
          }
        });
    await(acked, "served");
    final long usedBytes = usedBytes();
    client.driver.execute(
        (endpoint, now) -> {
          for (One one : all) {
            one.connection.finish(now);
          }
        });
    await(closed, "closed");
    long[] nanos = Arrays.stream(all).mapToLong(one -> one.doneNanos).sorted().toArray();
    System.out.printf(
        "open=%d halfOpen=%d failures=%d read=%d connectSeconds=%.2f firstMillis=%d"
            + " medianMillis=%d lastMillis=%d jainAtHalf=%.3f usedMiB=%d maxMiB=%d%n",
        open,
        halfOpen,
        failures.get(),
        readBytes.get(),
        connectSeconds,
        nanos[0] / 1_000_000,
        nanos[connections / 2] / 1_000_000,
        nanos[connections - 1] / 1_000_000,
        jainAtHalf,
        usedBytes >> 20,
        Runtime.getRuntime().maxMemory() >> 20);
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

package ebb.ledbat.kompics.embed;

import com.sun.management.OperatingSystemMXBean;
import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.KompicsSystem;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.Budget;
import ebb.ledbat.kompics.EbbNetwork;
import ebb.ledbat.kompics.LedbatControl;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.stream.BlockingStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;

/**
 * What control and budget cost, by the published API: one line of figures each.
 *
 * <pre>
 * quiet PORT CONNECTIONS SECONDS   a node with a budget and that many connections that say nothing:
 *                                  memory, and CPU without samples and with one each 100 ms
 * load PORT CONNECTIONS            who opens them; ends with its standard input
 * bulk ROUNDS                      {@link #BLOCK_BYTES} at a time by a stream between two nodes without
 *                                  a budget, two with one that bounds nothing, and two without one
 *                                  again, in turn
 * </pre>
 */
final class Costs {
  private static final long BLOCK_BYTES = 64L << 20;
  private static final long SAMPLE_MICROS = 100_000;
  private static final int AT_ONCE = 200;
  private static final long LIMIT_SECONDS = 300;

  /** More than loopback does, so that it bounds nothing and costs what it costs. */
  private static final Budget LARGE = Budget.of(100_000_000_000L, 100_000_000_000L);

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Costs() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "quiet" -> quiet(at(args[1]), Integer.parseInt(args[2]), Long.parseLong(args[3]));
      case "load" -> load(at(args[1]), Integer.parseInt(args[2]));
      default -> bulk(Integer.parseInt(args[1]));
    }
    System.exit(0);
  }

  private static EbbAddress at(String port) {
    return EbbAddress.of(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
  }

  private static EbbNetwork.Init node(EbbAddress self, int connections) {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .maxConnections(connections)
            .maxBufferedBytes(Runtime.getRuntime().maxMemory() / 4)
            .connectTimeoutMicros(60_000_000)
            .build();
    return new EbbNetwork.Init(self, config, new UnpredictableRandom()).withoutTcp();
  }

  // ---- Many that say nothing

  private static void quiet(EbbAddress self, int connections, long seconds) throws Exception {
    CountDownLatch accepted = new CountDownLatch(connections);
    BlockingQueue<LedbatControl.Samples> samples = new LinkedBlockingQueue<>();
    AtomicLong sampled = new AtomicLong();
    try (KompicsSystem<Consumer<KompicsEvent>> system =
        KompicsSystem.start(
            components -> {
              EbbNetwork.Init init =
                  node(self, connections).withBudget(Budget.of(10_000_000, 10_000_000));
              Component node = components.create(EbbNetwork.class, init);
              components.on(
                  node,
                  LedbatStreams.class,
                  LedbatStreams.Accepted.class,
                  e -> accepted.countDown());
              components.on(
                  node,
                  LedbatControl.class,
                  LedbatControl.Samples.class,
                  e -> {
                    sampled.incrementAndGet();
                    if (samples.isEmpty()) {
                      samples.add(e);
                    }
                  });
              return components.into(node, LedbatControl.class);
            })) {
      await(accepted);
      system.handle().accept(new LedbatControl.SampleEvery(SAMPLE_MICROS));
      int seen = samples.take().connections().size();
      double first = cpuPart(2 * seconds); // its code is compiled meanwhile
      long heap = usedHeap();
      long from = sampled.get();
      double with = cpuPart(seconds);
      long counted = sampled.get() - from;
      system.handle().accept(new LedbatControl.SampleEvery(0));
      double without = cpuPart(seconds);
      System.out.printf(
          "connections=%d heapMiB=%d residentMiB=%d firstCpu=%.4f sampledCpu=%.4f samples=%d"
              + " quietCpu=%.4f%n",
          seen, heap >> 20, residentMiB(), first, with, counted, without);
    }
  }

  /** The part of one core that this process takes. */
  private static double cpuPart(long seconds) throws InterruptedException {
    long cpu = PROCESS.getProcessCpuTime();
    long began = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    return (double) (PROCESS.getProcessCpuTime() - cpu) / (System.nanoTime() - began);
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long residentMiB() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
      }
    }
    return -1;
  }

  private static void load(EbbAddress peer, int connections) throws Exception {
    Semaphore room = new Semaphore(AT_ONCE);
    try (KompicsSystem<Consumer<KompicsEvent>> system =
        KompicsSystem.start(
            components -> {
              EbbNetwork.Init init = node(at("" + (peer.getPort() + 1)), connections);
              Component node = components.create(EbbNetwork.class, init);
              components.on(
                  node, LedbatStreams.class, LedbatStreams.Connected.class, e -> room.release());
              components.on(
                  node,
                  LedbatStreams.class,
                  LedbatStreams.ConnectFailed.class,
                  e -> System.exit(1));
              return components.into(node, LedbatStreams.class);
            })) {
      for (int i = 0; i < connections; i++) {
        room.acquire();
        long id = LedbatStreams.newStreamId();
        system.handle().accept(new LedbatStreams.Connect(id, peer.asSocket()));
      }
      while (System.in.read() >= 0) {}
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(latch.getCount() + " are missing");
    }
  }

  // ---- One that says much

  /** Three pairs of nodes take turns, so that all have the same machine; two tell the noise. */
  private static void bulk(int rounds) throws Exception {
    BlockingQueue<BlockingStream> connected = new LinkedBlockingQueue<>();
    int pairs = 3;
    try (KompicsSystem<List<Runnable>> system =
        KompicsSystem.start(
            components ->
                List.of(
                    pair(components, false, connected),
                    pair(components, true, connected),
                    pair(components, false, connected)))) {
      List<BlockingStream> streams = new ArrayList<>();
      for (Runnable connect : system.handle()) {
        connect.run();
        streams.add(connected.take());
      }
      double[] cpuNanos = new double[pairs];
      double[][] seconds = new double[pairs][rounds];
      for (int round = -rounds; round < rounds; round++) {
        for (int turn = 0; turn < pairs; turn++) {
          int i = Math.floorMod(round + turn, pairs);
          long cpu = threadsCpuNanos();
          long began = System.nanoTime();
          write(streams.get(i), BLOCK_BYTES);
          if (round >= 0) { // those before are for the compiler
            seconds[i][round] = (System.nanoTime() - began) / 1e9;
            cpuNanos[i] += threadsCpuNanos() - cpu;
          }
        }
      }
      String[] names = {"none", "budget", "noneAgain"};
      for (int i = 0; i < pairs; i++) {
        System.out.printf(
            "%sMBps=%.0f %sCpuPerGB=%.4f ",
            names[i],
            BLOCK_BYTES / 1e6 / median(seconds[i]),
            names[i],
            cpuNanos[i] / rounds / BLOCK_BYTES);
      }
      System.out.printf("rounds=%d%n", rounds);
    }
  }

  /** Of all threads: what Java tells of the process comes in steps of 10 ms. */
  private static long threadsCpuNanos() throws IOException {
    long nanos = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        nanos += runNanos(thread.resolve("schedstat"));
      }
    }
    return nanos;
  }

  private static long runNanos(Path schedstat) {
    try {
      String line = Files.readString(schedstat);
      return Long.parseLong(line.substring(0, line.indexOf(' ')));
    } catch (IOException ended) {
      return 0;
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Returns what connects them; the stream goes to {@code streams}. */
  private static Runnable pair(
      KompicsSystem.Components components,
      boolean withBudget,
      BlockingQueue<BlockingStream> streams) {
    EbbAddress to = free();
    Component sender = components.create(EbbNetwork.class, bulkNode(free(), withBudget));
    Component receiver = components.create(EbbNetwork.class, bulkNode(to, withBudget));
    components.on(
        receiver,
        LedbatStreams.class,
        LedbatStreams.Accepted.class,
        e -> onThread(() -> drain(e.stream().block())));
    components.on(
        sender,
        LedbatStreams.class,
        LedbatStreams.Connected.class,
        e -> streams.add(e.stream().block()));
    Consumer<KompicsEvent> ask = components.into(sender, LedbatStreams.class);
    return () -> ask.accept(new LedbatStreams.Connect(LedbatStreams.newStreamId(), to.asSocket()));
  }

  private static EbbAddress free() {
    try {
      return at("" + Embedded.free("127.0.0.1").getPort());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static EbbNetwork.Init bulkNode(EbbAddress self, boolean withBudget) {
    EbbNetwork.Init init = node(self, 2_000);
    return withBudget ? init.withBudget(LARGE) : init;
  }

  private static void write(BlockingStream stream, long bytes) throws Exception {
    ByteBuffer chunk = ByteBuffer.allocateDirect(256 << 10);
    for (long left = bytes; left > 0; left -= chunk.capacity()) {
      stream.write(chunk.duplicate());
    }
  }

  private static void drain(BlockingStream stream) throws Exception {
    for (ByteBuffer bytes = stream.read(); bytes != null; bytes = stream.read()) {
      stream.recycle(bytes);
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void onThread(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception ended) {
                // The process ends with the sender.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}

package ebb.net.ledbat;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverThreads;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.ledbat.netty.NettyTransport;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowOpener;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.BindException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One endpoint for all flows of a run. */
final class LedbatOpener implements FlowOpener {
  private final ClientRun run;
  private final LedbatConfig config;
  private final Threads threads;
  private final CompletableFuture<NettyDriver> driver;

  /** Drivers' loops, no more than processors, and who waits for a driver's socket. */
  private static final class Threads implements AutoCloseable {
    private final DriverThreads loops =
        DriverThreads.create(
            NettyTransport.AUTO,
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            "ebb-udp",
            true);
    private final ExecutorService blocking =
        Executors.newCachedThreadPool(new DefaultThreadFactory("ebb-udp-bind", true));

    @Override
    public void close() {
      blocking.shutdown();
      loops.close();
    }
  }

  LedbatOpener(ClientRun run, LedbatConfig config) {
    this.run = run;
    this.config =
        config.toBuilder()
            .accepting(false)
            .connectTimeoutMicros(run.connectTimeoutMillis() * 1_000)
            .build();
    threads = run.shared(Threads.class, Threads::new);
    driver = CompletableFuture.supplyAsync(this::bind, threads.blocking);
  }

  private NettyDriver bind() {
    try {
      return NettyDriver.bind(
          NettyDriverConfig.at(run.local()).withThreads(threads.loops),
          config,
          new UnpredictableRandom(),
          new EndpointListener() {});
    } catch (BindException taken) {
      throw new EbbException(ExitCode.USAGE, String.valueOf(taken.getMessage()), taken);
    }
  }

  @Override
  public CompletableFuture<FlowEnd> open(int stream, boolean sending) {
    return driver.thenCompose(
        bound -> {
          LedbatEnd end =
              new LedbatEnd(
                  bound, run.spec(), sending, config.controller(), run.clock(), run.latencies());
          return end.connect(run.server(), run.token()).thenApply(connected -> end);
        });
  }

  @Override
  public void close() {
    // A driver waits for its last packets.
    var unused = driver.thenAcceptAsync(NettyDriver::close, threads.blocking);
  }
}

package ebb.selfbench.side;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.CpuTime;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverStats;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.MeasuredProcess;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The sending side of a transfer: one connection, kept full until every byte is acknowledged. */
public final class TransferSource implements ConnectionListener {
  private static final int CHUNK_BYTES = 1 << 18;
  private static final long LIMIT_SECONDS = 600;

  /** What one transfer took. */
  public record Outcome(
      long bytes,
      long nanos,
      long senderCpuNanos,
      long receiverCpuNanos,
      long receiverBursts,
      long receiverDatagrams,
      ConnectionStats connection,
      DriverStats driver) {
    public double megabytesPerSecond() {
      return bytes * 1e3 / nanos;
    }

    public double senderCpuSecondsPerGigabyte() {
      return (double) senderCpuNanos / bytes;
    }

    public double receiverCpuSecondsPerGigabyte() {
      return (double) receiverCpuNanos / bytes;
    }
  }

  private final NettyDriver driver;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final CompletableFuture<Long> acknowledged = new CompletableFuture<>();
  private final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
  private final long bytes;
  private long left;
  private @Nullable ConnectionStats stats;

  private TransferSource(NettyDriver driver, long bytes) {
    this.driver = driver;
    this.bytes = bytes;
    left = bytes;
  }

  /** Starts a receiver, moves {@code bytes} to it and waits until it has them. */
  public static Outcome run(BenchMode mode, long bytes, int datagramBytes) {
    try (MeasuredProcess child =
            MeasuredProcess.jvm(
                List.of(),
                TransferSink.class,
                List.of(mode.name(), String.valueOf(datagramBytes)));
        NettyDriver driver =
            NettyDriver.bind(
                mode.config(),
                Sides.config(datagramBytes),
                new UnpredictableRandom(),
                new EndpointListener() {})) {
      int port = (int) child.await("PORT")[0];
      InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      TransferSource source = new TransferSource(driver, bytes);
      long cpu = CpuTime.nanos();
      long start = System.nanoTime();
      driver.execute((endpoint, now) -> endpoint.connect(to, source, now));
      long nanos = source.acknowledged.get(LIMIT_SECONDS, TimeUnit.SECONDS) - start;
      cpu = CpuTime.nanos() - cpu;
      long[] received = child.await("RECEIVED");
      ConnectionStats stats = source.stats;
      if (received[0] != bytes || stats == null) {
        throw new EbbException(
            ExitCode.INCOMPLETE, "received " + received[0] + " of " + bytes + " bytes");
      }
      return new Outcome(
          bytes, nanos, cpu, received[1], received[2], received[3], stats, driver.stats());
    } catch (BindException e) {
      throw new EbbException(ExitCode.CANNOT_CONNECT, String.valueOf(e.getMessage()), e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new EbbException(
          ExitCode.INCOMPLETE, cause == null ? "failed" : String.valueOf(cause.getMessage()), e);
    } catch (TimeoutException e) {
      throw new EbbException(
          ExitCode.INCOMPLETE, "not done after " + LIMIT_SECONDS + " seconds", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EbbException(ExitCode.INCOMPLETE, "interrupted", e);
    }
  }

  @Override
  public void onConnected(LedbatConnection connection) {
    fill(connection);
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    fill(connection);
  }

  private void fill(LedbatConnection connection) {
    while (left > 0) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, left));
      int offered = chunk.remaining();
      int taken = connection.write(chunk, driver.nowMicros());
      left -= taken;
      if (taken < offered) {
        return;
      }
    }
    connection.finish(driver.nowMicros());
  }

  @Override
  public void onAcked(LedbatConnection connection) {
    ConnectionStats now = connection.stats(driver.nowMicros());
    if (now.bytesAcked() >= bytes && !acknowledged.isDone()) {
      stats = now;
      acknowledged.complete(System.nanoTime());
    }
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    closed.complete(reason);
    acknowledged.completeExceptionally(new IllegalStateException("connection ended: " + reason));
  }
}

package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.core.stats.LatencyHistogram;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Sends a packet at a time at a pace, and keeps the one-way delays that the receiver returns: what
 * LEDBAT would take for a queue on a path that has none.
 */
final class DelaySource implements ConnectionListener {
  private final Meter meter = new Meter();
  private final NettyDriver driver;
  private final ByteBuffer message = ByteBuffer.allocateDirect(RoundTrips.MESSAGE_BYTES);
  private final int perSecond;

  private DelaySource(NettyDriver driver, int perSecond) {
    this.driver = driver;
    this.perSecond = perSecond;
  }

  /** Arguments: address, mode, datagram size, packets a second, the receiver's address and port. */
  public static void main(String[] args) throws IOException {
    Noise noise = new Noise();
    LedbatConfig config =
        Sides.config(Integer.parseInt(args[2])).toBuilder()
            .controller(
                ControllerFactory.of(
                    Noise.NAME, "keeps what it is told", 100_000, (parameters, mss) -> noise))
            .build();
    try (NettyDriver driver =
        NettyDriver.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            config,
            new UnpredictableRandom(),
            new EndpointListener() {})) {
      DelaySource source = new DelaySource(driver, Integer.parseInt(args[3]));
      noise.tell(source.meter);
      InetSocketAddress to = new InetSocketAddress(args[4], Integer.parseInt(args[5]));
      driver.execute((endpoint, now) -> endpoint.connect(to, source, now));
      source.meter.serve();
    }
  }

  @Override
  public void onConnected(LedbatConnection connection) {
    System.out.println("CONNECTED");
    Ticker.start(
        perSecond,
        at ->
            driver.execute(
                (endpoint, now) -> {
                  message.clear();
                  meter.add(connection.write(message, now));
                }));
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    System.out.println("FAILED connection ended: " + reason);
  }

  /** A window that is never full, and every delay sample above the least of its period. */
  private static final class Noise implements CongestionController {
    static final String NAME = "delay-noise";

    private static final long WINDOW_BYTES = 1 << 20;

    private long[] samples = new long[1 << 12];
    private int count;
    private long targetMicros = 100_000;
    private LatencyHistogram last = new LatencyHistogram();

    void tell(Meter meter) {
      // The first one closes the period, the others tell of it.
      meter
          .with("delay_samples", this::close)
          .with("delay_p50_micros", () -> percentile(50))
          .with("delay_p99_micros", () -> percentile(99))
          .with("delay_p99_9_micros", () -> percentile(99.9))
          .with("delay_max_micros", () -> percentile(100));
    }

    private synchronized long close() {
      last = new LatencyHistogram();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < count; i++) {
        least = Math.min(least, samples[i]);
      }
      for (int i = 0; i < count; i++) {
        last.recordMicros(samples[i] - least);
      }
      count = 0;
      return last.count();
    }

    private synchronized long percentile(double percent) {
      return last.count() == 0 ? 0 : Math.round(last.percentileMicros(percent));
    }

    @Override
    public synchronized void onDelaySample(
        long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
      if (count == samples.length) {
        samples = Arrays.copyOf(samples, 2 * count);
      }
      samples[count++] = oneWayDelayMicros;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public long cwndBytes() {
      return WINDOW_BYTES;
    }

    @Override
    public long targetDelayMicros() {
      return targetMicros;
    }

    @Override
    public void setTargetDelayMicros(long micros) {
      targetMicros = micros;
    }

    @Override
    public void setMssBytes(int mssBytes) {}

    @Override
    public void onAck(long acked, long flightSize, long smoothedRttMicros, long nowMicros) {}

    @Override
    public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {}

    @Override
    public void onCongestionTimeout(long nowMicros) {}

    @Override
    public void onIdleEnd(long idleMicros, long nowMicros) {}

    @Override
    public long currentDelayMicros() {
      return 0;
    }

    @Override
    public long baseDelayMicros() {
      return 0;
    }

    @Override
    public long queuingDelayMicros() {
      return 0;
    }
  }
}

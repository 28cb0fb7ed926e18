package ebb.testkit.tcp;

import ebb.testkit.sim.Simulation;
import java.util.random.RandomGenerator;

/** A {@link TcpSource} at work: it tells the sender what there is to send. */
final class TcpSourceRun {
  private static final long BLOCK_MICROS = 10_000;
  private static final double PARETO = 1.2;
  private static final double LONGEST = 100;

  private final Simulation sim;
  private final TcpFlow.Options options;
  private final TcpSender sender;
  private final RandomGenerator random;
  private double owedBytes;
  private boolean stopped;

  TcpSourceRun(Simulation sim, TcpFlow.Options options, String name, TcpSender sender) {
    this.sim = sim;
    this.options = options;
    this.sender = sender;
    random = sim.random(name);
  }

  void start() {
    TcpSource source = options.source();
    if (source instanceof TcpSource.Endless) {
      sender.supply(Long.MAX_VALUE);
    } else if (source instanceof TcpSource.Constant constant) {
      block(constant);
    } else if (source instanceof TcpSource.OnOff turns) {
      turn(turns, true);
    } else if (source instanceof TcpSource.Web web) {
      object(web);
    }
  }

  void stop() {
    stopped = true;
  }

  private void block(TcpSource.Constant constant) {
    if (stopped) {
      return;
    }
    owedBytes += constant.bitsPerSecond() * (BLOCK_MICROS / 8e6);
    long segments = (long) (owedBytes / options.segmentIpBytes());
    owedBytes -= segments * (double) options.segmentIpBytes();
    sender.supply(segments);
    sim.after(BLOCK_MICROS, () -> block(constant));
  }

  private void turn(TcpSource.OnOff turns, boolean on) {
    if (stopped) {
      return;
    }
    if (on) {
      sender.supply(Long.MAX_VALUE);
    } else {
      sender.withhold();
    }
    sim.after(on ? turns.onMicros() : turns.offMicros(), () -> turn(turns, !on));
  }

  /** The next object is asked for when the one before it has arrived and a pause is over. */
  private void object(TcpSource.Web web) {
    if (stopped) {
      return;
    }
    if (!sender.isDrained()) {
      sim.after(BLOCK_MICROS, () -> object(web));
      return;
    }
    long payload = options.segmentPayloadBytes();
    sender.supply(Math.max(1, (long) Math.ceil(objectBytes(web) / payload)));
    double pause = -StrictMath.log(1 - random.nextDouble()) * web.meanPauseMicros();
    awaitPause(web, (long) pause);
  }

  private void awaitPause(TcpSource.Web web, long pauseMicros) {
    if (stopped) {
      return;
    }
    if (sender.isDrained()) {
      sim.after(pauseMicros, () -> object(web));
    } else {
      sim.after(BLOCK_MICROS, () -> awaitPause(web, pauseMicros));
    }
  }

  private double objectBytes(TcpSource.Web web) {
    // Pareto's mean is exponent / (exponent - 1) of the least.
    double least = web.meanBytes() * (PARETO - 1) / PARETO;
    double length = least * StrictMath.pow(1 - random.nextDouble(), -1 / PARETO);
    return Math.min(length, LONGEST * web.meanBytes());
  }
}

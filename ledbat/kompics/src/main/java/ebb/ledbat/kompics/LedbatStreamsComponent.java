package ebb.ledbat.kompics;

import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Negative;
import se.sics.kompics.Start;

/**
 * Provides {@link LedbatStreams}: one port, bound when the component starts and closed, with all
 * its streams, when it is stopped or killed.
 *
 * <p>Requests cross to the endpoint's context as tasks, one each, so they should carry large
 * chunks; indications are triggered from there. A bind that fails is told by {@code BindFailed} and
 * is no fault; connecting then fails with {@link CloseReason#ENDPOINT_CLOSED}.
 */
public final class LedbatStreamsComponent extends ComponentDefinition {
  /** Enough to keep 1 GB/s going over a Kompics round trip of 2 ms. */
  public static final long DEFAULT_CREDIT_BYTES = 2L << 20;

  private final Negative<LedbatStreams> port = provides(LedbatStreams.class);
  private final Init init;
  private final DriverSlot driver;

  /** Of each loop of the port. */
  private volatile @Nullable List<StreamTable> tables;

  public LedbatStreamsComponent(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    driver = new DriverSlot(init.driver);
    init.driver.attach(proxy);
    handle(control, Start.class, this::handleStart);
    StreamRequests requests = new StreamRequests(driver, this::table, this::indicate, logger);
    handle(port, LedbatStreams.Connect.class, requests::connect);
    handle(port, LedbatStreams.Write.class, requests::write);
    handle(port, LedbatStreams.Demand.class, requests::demand);
    handle(port, LedbatStreams.Finish.class, requests::finish);
    handle(port, LedbatStreams.Abort.class, requests::abort);
    handle(port, LedbatStreams.Configure.class, requests::configure);
    handle(port, LedbatStreams.SetController.class, requests::setController);
    handle(port, LedbatStreams.Sample.class, requests::sample);
  }

  private void handleStart(Start start) {
    int loops = init.config.loops();
    List<StreamTable> started =
        IntStream.range(0, loops).mapToObj(loop -> newTable(loop, loops)).toList();
    try {
      tables = started;
      InetSocketAddress bound = driver.start(init.local, init.config, started::get);
      indicate(new LedbatStreams.Bound(bound));
    } catch (IOException | IllegalArgumentException failure) {
      tables = null;
      String reason = failure.getMessage();
      indicate(
          new LedbatStreams.BindFailed(
              "cannot bind " + init.local + ": " + (reason == null ? failure : reason)));
    }
  }

  private StreamTable newTable(int loop, int loops) {
    return new StreamTable(
        init.creditBytes,
        driver::nowMicros,
        this::indicate,
        task -> driver.executeOnceStarted(loop, task),
        loop,
        loops);
  }

  private @Nullable StreamTable table(long streamId) {
    List<StreamTable> all = tables;
    return all == null ? null : all.get(StreamTable.loopOf(streamId, all.size()));
  }

  @Override
  public void tearDown() {
    List<StreamTable> all = tables;
    if (all != null) {
      driver.close(loop -> (endpoint, now) -> all.get(loop).closeAll(now));
    }
  }

  private void indicate(KompicsEvent event) {
    trigger(event, port);
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<LedbatStreamsComponent> {
    /** Where to bind; port 0 is any free port. */
    public final InetSocketAddress local;

    public final LedbatConfig config;
    public final DriverFactory driver;

    /** Bytes that the user of a stream may have outstanding, see {@link LedbatStreams}. */
    public final long creditBytes;

    /** A UDP socket of its own, as it is by default. */
    public Init(InetSocketAddress local) {
      this(local, LedbatConfig.defaults(), DriverFactory.netty());
    }

    public Init(InetSocketAddress local, LedbatConfig config, DriverFactory driver) {
      this(local, config, driver, DEFAULT_CREDIT_BYTES);
    }

    /**
     * @throws IllegalArgumentException when {@code creditBytes} is below 4,096
     */
    public Init(
        InetSocketAddress local, LedbatConfig config, DriverFactory driver, long creditBytes) {
      if (creditBytes < 4_096) {
        throw new IllegalArgumentException("creditBytes must be at least 4096: " + creditBytes);
      }
      this.local = local;
      this.config = config;
      this.driver = driver;
      this.creditBytes = creditBytes;
    }
  }
}

package ebb.vm.demo;

import ebb.core.time.SleepClock;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Shape;
import ebb.vm.port.RunLabels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A whole cloud on loopback: {@link DemoCompute}, an object store with one bucket, and {@link
 * DemoMachines} that play the VMs. All of it goes when it is closed, or when its process dies.
 */
public final class DemoCloud implements AutoCloseable {
  /** The bucket that is there. */
  public static final String BUCKET = "ebb-demo";

  /** Compute Engine takes several times as long. */
  private static final Duration OPERATION_TIME = Duration.ofMillis(500);

  private final DemoCompute compute;
  private final DemoServer store;
  private final DemoMachines machines;

  private DemoCloud(DemoCompute compute, DemoServer store, DemoMachines machines) {
    this.compute = compute;
    this.store = store;
    this.machines = machines;
  }

  /**
   * Starts one; there is one in a process at a time.
   *
   * @param directory for the machines' files; made if need be, emptied in the end
   * @throws IOException when a port or the directory cannot be had
   */
  public static DemoCloud start(Path directory) throws IOException {
    SleepClock clock = SleepClock.system();
    Instant begin = Instant.now().minusNanos(clock.nowMicros() * 1_000);
    DemoCompute compute = DemoCompute.start(clock, begin);
    DemoServer store = null;
    try {
      compute.operationTime(OPERATION_TIME);
      compute.network(true, true, true);
      compute.onLoopback();
      store = DemoServer.start(Shape.none());
      store.makeBucket(BUCKET, "serviceAccount:" + DemoCompute.ACCOUNT);
      DemoMachines machines = DemoMachines.start(compute, store.url(), directory);
      DemoCloud cloud = new DemoCloud(compute, store, machines);
      DemoPlace.ofThisProcess(cloud.place());
      return cloud;
    } catch (IOException | RuntimeException e) {
      compute.close();
      if (store != null) {
        store.close();
      }
      throw e;
    }
  }

  /** How clients reach it. */
  public DemoPlace place() {
    return new DemoPlace(compute.url(), store.url(), ProcessHandle.current().pid());
  }

  /** What can be seen of it from inside: what is there, and faults. */
  public DemoCompute compute() {
    return compute;
  }

  /** Makes what somebody else's run might have left hours ago, objects in the bucket, too. */
  public void leaveSomething() throws IOException {
    Map<String, String> labels = compute.leaveSomething();
    String run = String.valueOf(labels.get(RunLabels.RUN));
    store.put(BUCKET, run + "/ebb.jar", new byte[30_000_000], labels);
    store.put(BUCKET, run + "/results/a/steps", new byte[500], Map.of());
  }

  /** Puts a small object into the bucket. */
  void leave(String object, Map<String, String> labels) throws IOException {
    store.put(BUCKET, object, new byte[1_000], labels);
  }

  @Override
  public void close() {
    DemoPlace.ofThisProcess(null);
    machines.close();
    compute.close();
    store.close();
  }
}

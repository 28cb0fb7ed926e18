package ebb.storage.bench;

import ebb.storage.bench.RunPlan.Item;
import ebb.storage.client.Account;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries out cases by this process's system. */
public final class LocalMeasurer implements Measurer {
  private final RunPlan plan;
  private final BenchSystem system;
  private final Workload workload;

  /**
   * For a plan.
   *
   * @param labels of every object
   */
  public LocalMeasurer(RunPlan plan, BenchSystem system, Map<String, String> labels) {
    this.plan = plan;
    this.system = system;
    workload = new Workload(plan, labels);
  }

  @Override
  public PhaseResult prepare() throws InterruptedException {
    return system.run(workload.preparation());
  }

  @Override
  public PhaseResult prepare(Item item, int repetition) throws InterruptedException {
    return system.run(workload.preparation(item, repetition));
  }

  @Override
  public Measurement measure(Item item, int repetition) throws InterruptedException {
    return Measurement.of(plan, item, repetition, system.run(workload.of(item, repetition)));
  }

  @Override
  public List<String> written(int repetition) {
    return List.of(plan.written(repetition));
  }

  @Override
  public StorageRun.@Nullable Failure failure() {
    return null;
  }

  @Override
  public void end() {
    // Each phase has ended when it returns.
  }

  @Override
  public List<Account.Line> account() {
    return List.of();
  }

  @Override
  public Map<String, String> facts() {
    return Map.of();
  }
}

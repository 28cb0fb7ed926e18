package ebb.storage.bench;

import ebb.storage.bench.RunPlan.Item;
import ebb.storage.client.Account;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who carries out the cases of a run: this process, or several clients at the same time. */
public interface Measurer {
  /** Makes the objects that are read. */
  PhaseResult prepare() throws InterruptedException;

  /** Makes what a case needs anew each time: objects to delete. */
  PhaseResult prepare(Item item, int repetition) throws InterruptedException;

  /** Measures a case. */
  Measurement measure(Item item, int repetition) throws InterruptedException;

  /** What the names begin with of all that a repetition writes. */
  List<String> written(int repetition);

  /** What went wrong with whoever measures, rather than with the store; null for nothing. */
  StorageRun.@Nullable Failure failure();

  /** Nothing more is asked of the store, from when this returns. */
  void end() throws InterruptedException;

  /** What has been asked of the store, beside this process's own requests. */
  List<Account.Line> account();

  /** Facts for the result. */
  Map<String, String> facts();
}

package ebb.files;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/** What the sessions of one receiver share. */
final class ReceiverShared {
  final FileStore store;
  final ReceiveOptions options;
  final Executor executor;
  final HashPool hashing;
  final LongSupplier nanoClock;
  final DiskBudget disk;

  /** Whether the records of all streams are proven by a key. */
  final boolean keyed;

  final ReadRate rate;
  final OfferMemory offers =
      new OfferMemory(Runtime.getRuntime().maxMemory() / ReceiveLimits.OFFERS_SHARE_OF_HEAP);

  /** One for each file that is being flushed and named. */
  final Semaphore finishing = new Semaphore(ReceiveLimits.MAX_FINISHING, true);

  /**
   * @param executor of threads for what blocks, as many as are asked for
   * @param keyed whether the records of all streams are proven by a key
   */
  ReceiverShared(FileStore store, ReceiveOptions options, Executor executor, boolean keyed) {
    this(store, options, executor, keyed, System::nanoTime, store::usableBytes);
  }

  ReceiverShared(
      FileStore store,
      ReceiveOptions options,
      Executor executor,
      boolean keyed,
      LongSupplier nanoClock,
      DiskBudget.Space space) {
    this.nanoClock = nanoClock;
    this.keyed = keyed;
    this.store = store;
    rate = new ReadRate(options.maxRateBytesPerSecond());
    disk = new DiskBudget(space, options.maxTotalBytes());
    this.options = options;
    this.executor = executor;
    hashing = new HashPool(executor, ReceiveLimits.HASHING_THREADS);
  }
}

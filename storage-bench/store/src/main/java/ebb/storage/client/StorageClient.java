package ebb.storage.client;

import ebb.core.attempts.RetryPolicy;
import ebb.core.kompics.PunctualComponent;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.CancelAll;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Progress;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.port.StoragePort.Stat;
import ebb.storage.store.ObjectStore;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Negative;

/**
 * Provides {@link StoragePort} for any {@link ObjectStore}: each request blocks a thread of this
 * component's own, none of Kompics'. It owns its threads, and closes the store when it is torn
 * down.
 */
public final class StorageClient extends ComponentDefinition {
  private final Negative<StoragePort> storage = provides(StoragePort.class);
  private final ObjectStore store;
  private final OperationRunner runner;
  private final ExecutorService threads;

  /** Requests that began in an earlier epoch are cancelled. */
  private final AtomicLong epoch = new AtomicLong();

  public StorageClient(Init init) {
    super(PunctualComponent.class);
    store = init.store;
    runner = new OperationRunner(init.store, init.policy, init.account);
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            init.threads,
            work -> {
              Thread thread = new Thread(work, "ebb-storage-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    subscribe(handlerOf(CreateContainer.class), storage);
    subscribe(handlerOf(Put.class), storage);
    subscribe(handlerOf(Get.class), storage);
    subscribe(handlerOf(Stat.class), storage);
    subscribe(handlerOf(ListObjects.class), storage);
    subscribe(handlerOf(Delete.class), storage);
    subscribe(handlerOf(DeleteContainer.class), storage);
    subscribe(handleCancelAll, storage);
  }

  private <R extends Request> Handler<R> handlerOf(Class<R> type) {
    return new Handler<>(type) {
      @Override
      public void handle(R request) {
        long begun = epoch.get();
        threads.execute(() -> carryOut(request, begun));
      }
    };
  }

  private void carryOut(Request request, long begun) {
    trigger(
        runner.run(
            request,
            () -> epoch.get() != begun,
            bytes -> trigger(new Progress(request.id(), bytes), storage)),
        storage);
  }

  private final Handler<CancelAll> handleCancelAll =
      new Handler<>(CancelAll.class) {
        @Override
        public void handle(CancelAll cancel) {
          epoch.incrementAndGet();
        }
      };

  @Override
  public void tearDown() {
    epoch.incrementAndGet();
    threads.shutdownNow();
    store.close();
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<StorageClient> {
    public final ObjectStore store;
    public final int threads;
    public final RetryPolicy policy;
    public final Account account;

    /**
     * A client of one store.
     *
     * @param threads requests that run at the same time
     */
    public Init(ObjectStore store, int threads, RetryPolicy policy) {
      this(store, threads, policy, new Account());
    }

    /** The same, whose requests are counted in {@code account}. */
    public Init(ObjectStore store, int threads, RetryPolicy policy, Account account) {
      this.account = account;
      this.store = store;
      this.threads = threads;
      this.policy = policy;
    }
  }
}

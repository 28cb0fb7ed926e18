package ebb.vm.client;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.kompics.PunctualComponent;
import ebb.core.time.SleepClock;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CancelAll;
import ebb.vm.port.ProvisionPort.CreateAccount;
import ebb.vm.port.ProvisionPort.CreateFirewall;
import ebb.vm.port.ProvisionPort.CreateVm;
import ebb.vm.port.ProvisionPort.CreateVms;
import ebb.vm.port.ProvisionPort.DeleteAccount;
import ebb.vm.port.ProvisionPort.DeleteDisk;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.DescribeMachineType;
import ebb.vm.port.ProvisionPort.DescribeVm;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListAccounts;
import ebb.vm.port.ProvisionPort.ListDisks;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.ListQuotas;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.ListZones;
import ebb.vm.port.ProvisionPort.Preflight;
import ebb.vm.port.ProvisionPort.Progress;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.ProvisionPort.SerialTail;
import ebb.vm.port.ProvisionPort.SettleVms;
import ebb.vm.port.ProvisionPort.WaitForVm;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Negative;

/**
 * Provides {@link ProvisionPort} for any {@link Provider}: each request blocks a thread of this
 * component's own, none of Kompics'. It owns its threads, and closes the provider when it is torn
 * down.
 */
public final class ProvisionClient extends ComponentDefinition {
  private static final List<Class<? extends Request>> REQUESTS =
      List.of(
          CreateVm.class,
          CreateVms.class,
          SettleVms.class,
          DescribeVm.class,
          ListVms.class,
          WaitForVm.class,
          DeleteVm.class,
          SerialTail.class,
          ListDisks.class,
          DeleteDisk.class,
          CreateFirewall.class,
          ListFirewalls.class,
          DeleteFirewall.class,
          ListZones.class,
          ListQuotas.class,
          DescribeMachineType.class,
          Preflight.class,
          CreateAccount.class,
          ListAccounts.class,
          DeleteAccount.class);

  private final Negative<ProvisionPort> port = provides(ProvisionPort.class);
  private final Provider provider;
  private final RequestRunner runner;
  private final SleepClock clock;
  private final int maxThreads;
  private final AtomicInteger threadNumber = new AtomicInteger();
  private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

  /** Replaced by a cancellation: a thread that waits for the service cannot be called back. */
  private ExecutorService threads;

  /** A request that has not been answered, or has just been. */
  private final class UnderWay {
    final Request request;
    final ProviderCall call;
    final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicBoolean answered = new AtomicBoolean();

    UnderWay(Request request) {
      this.request = request;
      call =
          new ProviderCall(
              clock,
              cancelled::get,
              (step, text) -> {
                if (!answered.get()) {
                  trigger(new Progress(request.id(), step, text), port);
                }
              });
    }

    void run() {
      answer(runner.run(request, call));
    }

    void answer(Done done) {
      if (answered.compareAndSet(false, true)) {
        underWay.remove(this);
        trigger(done, port);
      }
    }

    void cancel() {
      cancelled.set(true);
      RequestFailedException why = new RequestFailedException(FailureKind.CANCELLED, "cancelled");
      answer(new Done(request.id(), call.outcome(why), new Answer.None()));
    }
  }

  public ProvisionClient(Init init) {
    super(PunctualComponent.class);
    provider = init.provider;
    runner = new RequestRunner(init.provider);
    clock = init.clock;
    maxThreads = init.threads;
    threads = newThreads();
    for (Class<? extends Request> type : REQUESTS) {
      subscribe(handlerOf(type), port);
    }
    subscribe(handleCancelAll, port);
  }

  private ExecutorService newThreads() {
    return Executors.newFixedThreadPool(
        maxThreads,
        work -> {
          Thread thread = new Thread(work, "ebb-vm-" + threadNumber.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  private <R extends Request> Handler<R> handlerOf(Class<R> type) {
    return new Handler<>(type) {
      @Override
      public void handle(R request) {
        UnderWay work = new UnderWay(request);
        underWay.add(work);
        threads.execute(work::run);
      }
    };
  }

  private final Handler<CancelAll> handleCancelAll =
      new Handler<>(CancelAll.class) {
        @Override
        public void handle(CancelAll cancel) {
          ExecutorService old = threads;
          threads = newThreads();
          List.copyOf(underWay).forEach(UnderWay::cancel);
          old.shutdownNow();
        }
      };

  @Override
  public void tearDown() {
    for (UnderWay work : underWay) {
      work.cancelled.set(true);
    }
    threads.shutdownNow();
    provider.close();
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<ProvisionClient> {
    public final Provider provider;
    public final int threads;
    public final SleepClock clock;

    /**
     * A client of one provider.
     *
     * @param threads requests that run at the same time
     * @param clock null for the system's clock
     */
    public Init(Provider provider, int threads, @Nullable SleepClock clock) {
      this.provider = provider;
      this.threads = threads;
      this.clock = clock == null ? SleepClock.system() : clock;
    }
  }
}

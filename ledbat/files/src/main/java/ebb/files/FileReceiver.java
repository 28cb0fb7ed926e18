package ebb.files;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.StreamBridge;
import ebb.ledbat.stream.BlockingStream;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;

/**
 * Receives files from any number of senders over a required {@link LedbatStreams}, into one
 * directory. Its handlers only pass events on; each sender has a {@link ReceiveSession} on threads
 * of the executor.
 */
public final class FileReceiver extends ComponentDefinition {
  private final Positive<LedbatStreams> streams = requires(LedbatStreams.class);
  private final Init init;
  private final ReceiverShared shared;
  private final StreamBridge bridge = new StreamBridge(event -> trigger(event, streams));
  private final AtomicInteger sessions = new AtomicInteger();

  public FileReceiver(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    shared = new ReceiverShared(init.store, init.options, init.executor);
    init.monitor.attach(bridge);
    handle(streams, LedbatStreams.Bound.class, e -> init.bound.complete(e.local()));
    handle(streams, LedbatStreams.BindFailed.class, this::handleBindFailed);
    handle(streams, LedbatStreams.Accepted.class, this::handleAccepted);
    handle(streams, LedbatStreams.Data.class, bridge::onData);
    handle(streams, LedbatStreams.Written.class, bridge::onWritten);
    handle(streams, LedbatStreams.PeerFinished.class, bridge::onPeerFinished);
    handle(streams, LedbatStreams.Sampled.class, this::handleSampled);
    handle(streams, LedbatStreams.Closed.class, bridge::onClosed);
  }

  private void handleBindFailed(LedbatStreams.BindFailed event) {
    init.bound.completeExceptionally(new EbbException(ExitCode.REFUSED_OR_BUSY, event.reason()));
  }

  private void handleAccepted(LedbatStreams.Accepted event) {
    if (sessions.get() >= ReceiveLimits.MAX_SESSIONS) {
      bridge.refuse(event.streamId());
      return;
    }
    sessions.incrementAndGet();
    BlockingStream stream =
        bridge.open(event.streamId(), event.remote(), event.creditBytes(), ReceiveLimits.WINDOW_BYTES);
    ReceiveSession session =
        new ReceiveSession(stream, shared, init.listener);
    init.executor.execute(() -> run(session));
  }

  private void run(ReceiveSession session) {
    try {
      init.ended.accept(session.run());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      init.failed.accept(failure);
    } finally {
      sessions.decrementAndGet();
    }
  }

  private void handleSampled(LedbatStreams.Sampled event) {
    bridge.onSampled(event);
    init.monitor.onStats(event.stats());
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<FileReceiver> {
    final FileStore store;
    final ReceiveOptions options;
    final Executor executor;
    final ReceiveListener listener;
    final TransferMonitor monitor;
    final CompletableFuture<InetSocketAddress> bound;
    final Consumer<ReceiveReport> ended;
    final Consumer<RuntimeException> failed;

    Init(
        FileStore store,
        ReceiveOptions options,
        Executor executor,
        ReceiveListener listener,
        TransferMonitor monitor,
        CompletableFuture<InetSocketAddress> bound,
        Consumer<ReceiveReport> ended,
        Consumer<RuntimeException> failed) {
      this.store = store;
      this.options = options;
      this.executor = executor;
      this.listener = listener;
      this.monitor = monitor;
      this.bound = bound;
      this.ended = ended;
      this.failed = failed;
    }
  }
}

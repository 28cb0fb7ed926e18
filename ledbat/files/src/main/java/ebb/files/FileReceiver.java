package ebb.files;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.StreamBridge;
import ebb.ledbat.stream.BlockingStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
  private final SessionDoor door = new SessionDoor();

  /** Streams of senders that were told to go. Only of the component's handlers. */
  private final Set<Long> leaving = new LinkedHashSet<>();

  public FileReceiver(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    shared = new ReceiverShared(init.store, init.options, init.executor, init.keyed);
    init.monitor.attach(bridge);
    handle(streams, LedbatStreams.Bound.class, e -> init.bound.complete(e.local()));
    handle(streams, LedbatStreams.BindFailed.class, this::handleBindFailed);
    handle(streams, LedbatStreams.Accepted.class, this::handleAccepted);
    handle(streams, LedbatStreams.Sampled.class, this::handleSampled);
    handle(streams, LedbatStreams.Closed.class, this::handleClosed);
  }

  private void handleBindFailed(LedbatStreams.BindFailed event) {
    init.bound.completeExceptionally(new EbbException(ExitCode.REFUSED_OR_BUSY, event.reason()));
  }

  private void handleAccepted(LedbatStreams.Accepted event) {
    InetAddress from = event.remote().getAddress();
    String busy = door.room(from, System.nanoTime());
    if (busy != null) {
      sendAway(event, busy);
      return;
    }
    BlockingStream stream =
        bridge.open(
            event,
            ReadRate.windowBytes(init.options.maxRateBytesPerSecond(), ReceiveLimits.WINDOW_BYTES));
    ReceiveSession session = new ReceiveSession(stream, shared, init.listener);
    door.enter(session, from);
    try {
      init.executor.execute(() -> run(session));
    } catch (RuntimeException | Error noThread) {
      door.leave(session);
      stream.abort();
    }
  }

  /**
   * Says why, and forgets the sender. Whoever does not go by itself is dropped when others come.
   */
  private void sendAway(LedbatStreams.Accepted event, String busy) {
    long id = event.streamId();
    ByteBuffer words = ByteBuffer.allocate(Hello.MAX_ENCODED_BYTES + FrameCodec.MAX_ENCODED_BYTES);
    Hello.encode(words, 0);
    FrameCodec.encode(new Frame.Leave(Refusal.BUSY, busy), words);
    trigger(new LedbatStreams.Write(id, words.flip()), streams);
    trigger(new LedbatStreams.Finish(id), streams);
    trigger(new LedbatStreams.Demand(id, ReceiveLimits.WINDOW_BYTES), streams);
    leaving.add(id);
    if (leaving.size() > ReceiveLimits.MAX_LEAVING) {
      Iterator<Long> oldest = leaving.iterator();
      bridge.refuse(oldest.next());
      oldest.remove();
    }
    init.listener.onSentAway(event.remote(), busy);
  }

  private void handleClosed(LedbatStreams.Closed event) {
    leaving.remove(event.streamId());
    bridge.onClosed(event);
  }

  private void run(ReceiveSession session) {
    try {
      init.ended.accept(session.run());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      init.failed.accept(failure);
    } finally {
      door.leave(session);
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
    final boolean keyed;
    final ReceiveListener listener;
    final TransferMonitor monitor;
    final CompletableFuture<InetSocketAddress> bound;
    final Consumer<ReceiveReport> ended;
    final Consumer<RuntimeException> failed;

    /**
     * @param keyed whether peers have proven a key, and their records are proven by it
     */
    Init(
        FileStore store,
        ReceiveOptions options,
        Executor executor,
        boolean keyed,
        ReceiveListener listener,
        TransferMonitor monitor,
        CompletableFuture<InetSocketAddress> bound,
        Consumer<ReceiveReport> ended,
        Consumer<RuntimeException> failed) {
      this.store = store;
      this.options = options;
      this.executor = executor;
      this.keyed = keyed;
      this.listener = listener;
      this.monitor = monitor;
      this.bound = bound;
      this.ended = ended;
      this.failed = failed;
    }
  }
}

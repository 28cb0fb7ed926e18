package ebb.files;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.command.FailedConnect;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.StreamBridge;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;

/**
 * Sends files to one receiver over a required {@link LedbatStreams}. Its handlers only pass events
 * on; a {@link SendSession} does the work on threads of the executor.
 */
public final class FileSender extends ComponentDefinition {
  /** What keys are told that a connection is for, on both sides. */
  static final String PURPOSE = "files";

  /** Only answers come back. */
  private static final long WINDOW_BYTES = 256 << 10;

  private final Positive<LedbatStreams> streams = requires(LedbatStreams.class);
  private final Init init;
  private final StreamBridge bridge = new StreamBridge(event -> trigger(event, streams));
  private final long streamId = LedbatStreams.newStreamId();

  public FileSender(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    init.monitor.attach(bridge);
    handle(streams, LedbatStreams.Bound.class, this::handleBound);
    handle(streams, LedbatStreams.BindFailed.class, this::handleBindFailed);
    handle(streams, LedbatStreams.Connected.class, this::handleConnected);
    handle(streams, LedbatStreams.ConnectFailed.class, this::handleConnectFailed);
    handle(streams, LedbatStreams.Accepted.class, this::handleAccepted);
    handle(streams, LedbatStreams.Sampled.class, this::handleSampled);
    handle(streams, LedbatStreams.Closed.class, this::handleClosed);
  }

  private void handleBound(LedbatStreams.Bound event) {
    trigger(new LedbatStreams.Connect(streamId, init.remote), streams);
  }

  private void handleBindFailed(LedbatStreams.BindFailed event) {
    init.result.completeExceptionally(new EbbException(ExitCode.CANNOT_CONNECT, event.reason()));
  }

  private void handleConnectFailed(LedbatStreams.ConnectFailed event) {
    if (event.streamId() == streamId) {
      init.result.completeExceptionally(
          new EbbException(
              FailedConnect.exitCode(event.reason()),
              "cannot connect to "
                  + Addresses.text(init.remote)
                  + ": "
                  + StreamBrokenException.describe(event.reason())));
    }
  }

  private void handleConnected(LedbatStreams.Connected event) {
    if (event.streamId() != streamId) {
      return;
    }
    BlockingStream stream = bridge.open(event, WINDOW_BYTES);
    SendSession session =
        new SendSession(stream, init.sources, init.executor, init.listener, init.keyed);
    init.executor.execute(
        () -> {
          try {
            init.result.complete(session.run());
          } catch (InterruptedException | RuntimeException failure) {
            init.result.completeExceptionally(failure);
          }
        });
  }

  private void handleAccepted(LedbatStreams.Accepted event) {
    bridge.refuse(event.streamId());
  }

  private void handleSampled(LedbatStreams.Sampled event) {
    bridge.onSampled(event);
    init.monitor.onStats(event.stats());
  }

  private void handleClosed(LedbatStreams.Closed event) {
    if (event.streamId() == streamId) {
      init.monitor.onStats(event.stats());
    }
    bridge.onClosed(event);
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<FileSender> {
    final InetSocketAddress remote;
    final SourceTree sources;
    final Executor executor;
    final boolean keyed;
    final SendListener listener;
    final TransferMonitor monitor;
    final CompletableFuture<SendReport> result;

    /**
     * @param keyed whether the peer has proven a key, and its records are proven by it
     */
    Init(
        InetSocketAddress remote,
        SourceTree sources,
        Executor executor,
        boolean keyed,
        SendListener listener,
        TransferMonitor monitor,
        CompletableFuture<SendReport> result) {
      this.remote = remote;
      this.sources = sources;
      this.executor = executor;
      this.keyed = keyed;
      this.listener = listener;
      this.monitor = monitor;
      this.result = result;
    }
  }
}

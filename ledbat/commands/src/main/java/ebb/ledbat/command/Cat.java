package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.StreamBridge;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.net.InetSocketAddress;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;

/**
 * One stream of a required {@link LedbatStreams}, joined to an input and an output by a {@link
 * Pump} on threads of the executor.
 */
public final class Cat extends ComponentDefinition {
  private static final long WINDOW_BYTES = 2 << 20;

  private final Positive<LedbatStreams> streams = requires(LedbatStreams.class);
  private final Init init;
  private final StreamBridge bridge = new StreamBridge(event -> trigger(event, streams));
  private final long ownId = LedbatStreams.newStreamId();
  private boolean accepted;

  public Cat(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    init.bridge = bridge;
    handle(streams, LedbatStreams.Bound.class, this::handleBound);
    handle(streams, LedbatStreams.BindFailed.class, this::handleBindFailed);
    handle(streams, LedbatStreams.Connected.class, this::handleConnected);
    handle(streams, LedbatStreams.ConnectFailed.class, this::handleConnectFailed);
    handle(streams, LedbatStreams.Accepted.class, this::handleAccepted);
    handle(streams, LedbatStreams.Closed.class, bridge::onClosed);
  }

  private void handleBound(LedbatStreams.Bound event) {
    if (init.remote == null) {
      // Not part of the data, so it goes where errors go.
      init.listening.accept(event.local());
    } else {
      trigger(new LedbatStreams.Connect(ownId, init.remote), streams);
    }
  }

  private void handleBindFailed(LedbatStreams.BindFailed event) {
    init.result.completeExceptionally(new EbbException(ExitCode.REFUSED_OR_BUSY, event.reason()));
  }

  private void handleConnectFailed(LedbatStreams.ConnectFailed event) {
    if (event.streamId() == ownId) {
      init.result.completeExceptionally(
          new EbbException(
              FailedConnect.exitCode(event.reason()),
              "cannot connect to "
                  + Addresses.text(event.remote())
                  + ": "
                  + StreamBrokenException.describe(event.reason())));
    }
  }

  private void handleConnected(LedbatStreams.Connected event) {
    if (event.streamId() == ownId) {
      pump(bridge.open(event, WINDOW_BYTES));
    }
  }

  private void handleAccepted(LedbatStreams.Accepted event) {
    if (init.remote != null || accepted) {
      bridge.refuse(event.streamId());
      return;
    }
    accepted = true;
    pump(bridge.open(event, WINDOW_BYTES));
  }

  private void pump(BlockingStream stream) {
    new Pump(stream, init.input, init.output, init.executor, init.result).start();
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<Cat> {
    final @Nullable InetSocketAddress remote;
    final ReadableByteChannel input;
    final WritableByteChannel output;
    final Executor executor;
    final CompletableFuture<ExitCode> result;
    final Consumer<InetSocketAddress> listening;
    private volatile @Nullable StreamBridge bridge;

    /**
     * @param remote null to listen
     * @param listening is told the address once it is bound
     */
    Init(
        @Nullable InetSocketAddress remote,
        ReadableByteChannel input,
        WritableByteChannel output,
        Executor executor,
        CompletableFuture<ExitCode> result,
        Consumer<InetSocketAddress> listening) {
      this.remote = remote;
      this.input = input;
      this.output = output;
      this.executor = executor;
      this.result = result;
      this.listening = listening;
    }

    /** Drops the stream. */
    void abort() {
      StreamBridge streams = bridge;
      if (streams != null) {
        streams.abortAll();
      }
    }
  }
}

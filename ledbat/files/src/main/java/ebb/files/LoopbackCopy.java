package ebb.files;

import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.KompicsSystem.Components;
import ebb.ledbat.command.IoThreads;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;

/**
 * Copies one file between two endpoints of this process, over loopback, with the components of the
 * send and receive commands: {@link FileSender}, {@link FileReceiver} and a {@link
 * LedbatStreamsComponent} with a socket of its own for each.
 */
public final class LoopbackCopy {
  private final FileStore store;
  private final SourceTree sources;
  private final DriverFactory drivers;
  private final ExecutorService threads;
  private final CompletableFuture<SendReport> result = new CompletableFuture<>();

  private LoopbackCopy(
      FileStore store, SourceTree sources, DriverFactory drivers, ExecutorService threads) {
    this.store = store;
    this.sources = sources;
    this.drivers = drivers;
    this.threads = threads;
  }

  /** The file did not arrive; the message is one line. */
  public static final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    FailedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Copies {@code source} into {@code directory} under its own name.
   *
   * @return nanoseconds from the connection's start to the receiver's word that the file is
   *     complete, verified and under its final name
   * @throws FailedException when it is not there within {@code timeoutSeconds}
   */
  public static long run(Path source, Path directory, DriverFactory drivers, long timeoutSeconds)
      throws FailedException, InterruptedException {
    ExecutorService threads = IoThreads.create();
    try {
      FileStore store = new FileStore(directory);
      SourceTree sources = SourceTree.of(List.of(source), false);
      LoopbackCopy copy = new LoopbackCopy(store, sources, drivers, threads);
      SendReport report = copy.report(timeoutSeconds);
      if (report.sent() != 1) {
        throw new FailedException("the file was not received: " + reason(report), null);
      }
      store.close();
      return report.nanos();
    } catch (IOException failure) {
      throw new FailedException(String.valueOf(failure.getMessage()), failure);
    } catch (ExecutionException failure) {
      Throwable cause = failure.getCause();
      throw new FailedException(String.valueOf(cause == null ? failure : cause), failure);
    } catch (TimeoutException late) {
      throw new FailedException("the file did not arrive in " + timeoutSeconds + " s", late);
    } finally {
      threads.shutdownNow();
    }
  }

  private static String reason(SendReport report) {
    if (report.broken() != null) {
      return report.broken();
    }
    if (report.refused() != null) {
      return report.refused();
    }
    return String.valueOf(report.worst());
  }

  @SuppressWarnings("try") // the system is there to be closed
  private SendReport report(long timeoutSeconds)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (KompicsSystem<Component> system =
        KompicsSystem.start(this::receiver, result::completeExceptionally)) {
      return result.get(timeoutSeconds, TimeUnit.SECONDS);
    }
  }

  /** Receiver first; the sender is made when the receiver's port is known. */
  private Component receiver(Components components) {
    CompletableFuture<InetSocketAddress> receiverBound = new CompletableFuture<>();
    receiverBound.exceptionally(
        failure -> {
          result.completeExceptionally(failure);
          return anyPort();
        });
    Component streams = components.create(LedbatStreamsComponent.class, streams(true));
    Component receiver =
        components.create(
            FileReceiver.class,
            new FileReceiver.Init(
                store,
                ReceiveOptions.DEFAULTS,
                threads,
                false,
                new ReceiveListener() {},
                new TransferMonitor(),
                receiverBound,
                report -> {},
                result::completeExceptionally));
    components.connect(streams, LedbatStreams.class, receiver);
    components.on(
        streams,
        LedbatStreams.class,
        LedbatStreams.Bound.class,
        bound -> startSender(components, bound.local()));
    return receiver;
  }

  private void startSender(Components components, InetSocketAddress receiver) {
    Component streams = components.create(LedbatStreamsComponent.class, streams(false));
    Component sender =
        components.create(
            FileSender.class,
            new FileSender.Init(
                receiver,
                sources,
                threads,
                false,
                new SendListener() {},
                new TransferMonitor(),
                result));
    components.connect(streams, LedbatStreams.class, sender);
    components.start(sender, streams);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private LedbatStreamsComponent.Init streams(boolean accepting) {
    LedbatConfig config = LedbatConfig.defaults().toBuilder().accepting(accepting).build();
    return new LedbatStreamsComponent.Init(anyPort(), config, drivers);
  }
}

package ebb.files;

import ebb.core.kompics.PunctualComponent;
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
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.Start;

/**
 * Copies one file between two endpoints of this process, over loopback, with the components of the
 * send and receive commands: {@link FileSender}, {@link FileReceiver} and a {@link
 * LedbatStreamsComponent} with a socket of its own for each.
 */
public final class LoopbackCopy {
  private static final int WORKERS = 2;

  private LoopbackCopy() {}

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
    CompletableFuture<SendReport> result = new CompletableFuture<>();
    try {
      FileStore store = new FileStore(directory);
      SourceTree sources = SourceTree.of(List.of(source), false);
      Kompics.createAndStart(
          Root.class, new RootInit(store, sources, drivers, threads, result), WORKERS);
      SendReport report = result.get(timeoutSeconds, TimeUnit.SECONDS);
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
      Kompics.shutdown();
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

  /** Receiver first; the sender is made when the receiver's port is known. */
  public static final class Root extends ComponentDefinition {
    private final RootInit init;

    private final Handler<LedbatStreams.Bound> onReceiverBound =
        new Handler<>(LedbatStreams.Bound.class) {
          @Override
          public void handle(LedbatStreams.Bound bound) {
            startSender(bound.local());
          }
        };

    public Root(RootInit init) {
      super(PunctualComponent.class);
      this.init = init;
      CompletableFuture<InetSocketAddress> receiverBound = new CompletableFuture<>();
      receiverBound.exceptionally(
          failure -> {
            init.result.completeExceptionally(failure);
            return anyPort();
          });
      Component streams = create(LedbatStreamsComponent.class, init.streams(true));
      Component receiver =
          create(
              FileReceiver.class,
              new FileReceiver.Init(
                  init.store,
                  new ReceiveOptions(false, Long.MAX_VALUE),
                  init.threads,
                  new ReceiveListener() {},
                  new TransferMonitor(),
                  receiverBound,
                  report -> {},
                  init.result::completeExceptionally));
      connect(
          streams.getPositive(LedbatStreams.class),
          receiver.getNegative(LedbatStreams.class),
          Channel.TWO_WAY);
      subscribe(onReceiverBound, streams.getPositive(LedbatStreams.class));
    }

    private void startSender(InetSocketAddress receiver) {
      Component streams = create(LedbatStreamsComponent.class, init.streams(false));
      Component sender =
          create(
              FileSender.class,
              new FileSender.Init(
                  receiver,
                  init.sources,
                  init.threads,
                  new SendListener() {},
                  new TransferMonitor(),
                  init.result));
      connect(
          streams.getPositive(LedbatStreams.class),
          sender.getNegative(LedbatStreams.class),
          Channel.TWO_WAY);
      trigger(Start.EVENT, sender.control());
      trigger(Start.EVENT, streams.control());
    }

    @Override
    public Fault.ResolveAction handleFault(Fault fault) {
      init.result.completeExceptionally(fault.getCause());
      return Fault.ResolveAction.DESTROY;
    }
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** What {@link Root} needs to know. */
  public static final class RootInit extends se.sics.kompics.Init<Root> {
    private final FileStore store;
    private final SourceTree sources;
    private final DriverFactory drivers;
    private final ExecutorService threads;
    private final CompletableFuture<SendReport> result;

    RootInit(
        FileStore store,
        SourceTree sources,
        DriverFactory drivers,
        ExecutorService threads,
        CompletableFuture<SendReport> result) {
      this.store = store;
      this.sources = sources;
      this.drivers = drivers;
      this.threads = threads;
      this.result = result;
    }

    private LedbatStreamsComponent.Init streams(boolean accepting) {
      LedbatConfig config = LedbatConfig.defaults().toBuilder().accepting(accepting).build();
      return new LedbatStreamsComponent.Init(anyPort(), config, drivers);
    }
  }
}

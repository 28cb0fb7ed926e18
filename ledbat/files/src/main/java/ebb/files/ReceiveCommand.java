package ebb.files;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.QlogOption;
import ebb.core.cli.TerminalText;
import ebb.core.kompics.KompicsSystem;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.command.ControllerOptions;
import ebb.ledbat.command.EndpointOptions;
import ebb.ledbat.command.IncomingControl;
import ebb.ledbat.command.IoThreads;
import ebb.ledbat.command.LedbatRuntime;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import ebb.ledbat.netty.DriverThreads;
import ebb.ledbat.qlog.QlogFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import se.sics.kompics.Component;

/** {@code ebb ledbat receive}. */
@Command(
    name = "receive",
    mixinStandardHelpOptions = true,
    description = {
      "Receive files into a directory until interrupted.",
      "The senders are 'ebb ledbat send'.",
      "A file appears under its name when it is complete and its SHA-256 was verified."
    })
public final class ReceiveCommand implements EbbCommand {
  private static final long TICK_MILLIS = 200;
  private static final long ABORT_MILLIS = 3_000;
  private static final long FAREWELL_MILLIS = 200;
  private static final String DEFAULT_PART_EXPIRY = "30d";
  private static final long MIN_EXPIRY_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final long EXPIRY_LOOK_NANOS = TimeUnit.HOURS.toNanos(1);

  @Option(
      names = "--port",
      required = true,
      paramLabel = "PORT",
      description = "UDP port to listen on; 0 takes a free one and says which.")
  String port = "";

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "Where files go; nothing is ever written outside it.")
  String dir = "";

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Listen on this address only (default: all).")
  @Nullable String bind;

  @Option(
      names = "--once",
      description = "End after the first sender's session, with that session's exit code.")
  boolean once;

  @Option(
      names = "--overwrite",
      description = "Replace files that have the name of one that arrives but other content.")
  boolean overwrite;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      description = "Take no file larger than this, such as 10G.")
  @Nullable ByteSize maxSize;

  @Option(
      names = "--max-total",
      paramLabel = "SIZE",
      description = "Take no more than this in all, from all senders, until it ends.")
  @Nullable ByteSize maxTotal;

  @Option(
      names = "--part-expiry",
      paramLabel = "TIME",
      defaultValue = DEFAULT_PART_EXPIRY,
      description =
          "Delete the beginnings of files that nobody has gone on with for this long, such as 12h;"
              + " never keeps them (default: ${DEFAULT-VALUE}).")
  String partExpiry = DEFAULT_PART_EXPIRY;

  @Option(names = "--json", description = "Print each session's result as one JSON object.")
  boolean json;

  @Option(
      names = "--max-rate",
      paramLabel = "RATE",
      description =
          "Take no more than this from all senders together, such as 20M for 20 Mbit/s (default: no"
              + " bound).")
  @Nullable BitRate maxRate;

  @Option(
      names = "--controller",
      paramLabel = "NAME",
      completionCandidates = ControllerOptions.Names.class,
      description =
          "Have what comes in give way, whatever the senders do, by this congestion controller:"
              + " ${COMPLETION-CANDIDATES} (default: the senders decide); see"
              + " docs/receiver-driven.md.")
  @Nullable String controller;

  @Option(
      names = "--target",
      paramLabel = "TIME",
      description =
          "Queuing delay that --controller steers towards, at most 100ms (default: the controller's"
              + " own).")
  @Nullable Micros target;

  @Option(
      names = "--loops",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Threads that move the bytes, 1 to "
              + LedbatConfig.MAX_LOOPS
              + ", each for its part of the senders; more than one needs Linux (default:"
              + " ${DEFAULT-VALUE}).")
  int loops = 1;

  @Option(
      names = "--connect-timeout",
      hidden = true,
      description = "What a receiver cannot decide.")
  @Nullable String sendersOption;

  @Mixin EndpointOptions endpoint = new EndpointOptions();

  @Override
  public String group() {
    return "ledbat";
  }

  @Override
  public Integer call() throws InterruptedException {
    try (QlogOption.Opened<QlogFile> qlog = endpoint.openQlog("ebb ledbat receive")) {
      return call(qlog.file());
    }
  }

  @SuppressWarnings("try") // the resources are there to be closed
  private Integer call(@Nullable QlogFile qlog) throws InterruptedException {
    if (sendersOption != null) {
      throw new EbbException(
          ExitCode.USAGE, "--connect-timeout is the sender's: give it to 'ebb ledbat send'");
    }
    String noEpoll = loops > 1 ? DriverThreads.whyNotEpoll() : null;
    if (noEpoll != null) {
      throw new EbbException(ExitCode.USAGE, "--loops " + loops + " needs epoll: " + noEpoll);
    }
    InetSocketAddress local =
        new InetSocketAddress(
            bind == null ? Addresses.host("0.0.0.0") : Addresses.host(bind),
            Addresses.port(port, 0));
    LedbatStreamsComponent.Init streams =
        new LedbatStreamsComponent.Init(
            local, endpoint.config(null, qlog, this::apply), endpoint.drivers(FileSender.PURPOSE));
    long expiryMillis = expiryMillis();
    FileStore store = openStore();
    Output output = Output.standard(json);
    ReceiveView view = new ReceiveView(output, Progress.standard(output), once, store.parts());
    CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
    ExecutorService threads = IoThreads.create();
    FileReceiver.Init receiver =
        new FileReceiver.Init(
            store,
            new ReceiveOptions(overwrite, bytes(maxSize), bytes(maxTotal), bytesPerSecond()),
            threads,
            endpoint.keyed(),
            view,
            view.monitor(),
            bound,
            view::ended,
            view::failed);
    try (Interrupts.Registration interrupts =
            Interrupts.onInterrupt(
                ABORT_MILLIS,
                once ? ExitCode.INCOMPLETE : ExitCode.DONE,
                () -> interrupted(view, store));
        KompicsSystem<Component> system =
            LedbatRuntime.start(
                streams,
                FileReceiver.class,
                receiver,
                fault -> {
                  bound.completeExceptionally(fault);
                  view.failed(fault);
                })) {
      view.listening(await(bound), store.guard().root());
      return await(view, store, expiryMillis).value();
    } finally {
      threads.shutdownNow();
      store.close();
    }
  }

  private FileStore openStore() {
    try {
      return new FileStore(Path.of(dir));
    } catch (IOException | InvalidPathException unusable) {
      throw new EbbException(
          ExitCode.USAGE,
          "cannot receive into '" + TerminalText.printable(dir) + "': " + Reasons.reason(unusable));
    }
  }

  private static InetSocketAddress await(CompletableFuture<InetSocketAddress> bound)
      throws InterruptedException {
    try {
      return bound.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof EbbException known) {
        throw known;
      }
      throw new IllegalStateException(failure.getCause());
    }
  }

  private void apply(LedbatConfigBuilder builder) {
    builder.ebbOnly(true); // nobody else speaks the file protocol
    builder.loops(loops);
    IncomingControl.apply("--controller", controller, "--target", target, builder);
    builder.receiveMaxRateBytesPerSecond(bytesPerSecond());
    builder.receiveBufferBytes(
        ReadRate.windowBytes(bytesPerSecond(), LedbatConfig.defaults().receiveBufferBytes()));
  }

  private long bytesPerSecond() {
    return maxRate == null ? 0 : Math.max(1, maxRate.bytesPerSecond());
  }

  private static long bytes(@Nullable ByteSize size) {
    return size == null ? Long.MAX_VALUE : size.bytes();
  }

  private long expiryMillis() {
    if (partExpiry.equals("never")) {
      return Long.MAX_VALUE;
    }
    long millis;
    try {
      millis = Micros.parse(partExpiry).micros() / 1_000;
    } catch (IllegalArgumentException bad) {
      throw new EbbException(ExitCode.USAGE, "--part-expiry: " + bad.getMessage() + ", or never");
    }
    if (millis < MIN_EXPIRY_MILLIS) {
      throw new EbbException(
          ExitCode.USAGE, "--part-expiry must be at least 1h, or never: " + partExpiry);
    }
    return millis;
  }

  private static ExitCode await(ReceiveView view, FileStore store, long expiryMillis)
      throws InterruptedException {
    long nextLook = System.nanoTime();
    while (true) {
      if (expiryMillis < Long.MAX_VALUE && System.nanoTime() - nextLook >= 0) {
        nextLook = System.nanoTime() + EXPIRY_LOOK_NANOS;
        view.expired(store.parts().remove(System.currentTimeMillis() - expiryMillis));
      }
      try {
        return view.result().get(TICK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException running) {
        view.tick();
      } catch (ExecutionException failure) {
        view.clear();
        throw new IllegalStateException(failure.getCause());
      }
    }
  }

  /** In the shutdown; the process ends when this returns. */
  private static void interrupted(ReceiveView view, FileStore store) {
    boolean busy = view.interrupted();
    view.monitor().abort();
    try {
      // The RESETs still have to leave this machine.
      TimeUnit.MILLISECONDS.sleep(busy ? FAREWELL_MILLIS : 0);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    store.close();
    if (busy) {
      Runtime.getRuntime().halt(ExitCode.INCOMPLETE.value());
    }
  }
}

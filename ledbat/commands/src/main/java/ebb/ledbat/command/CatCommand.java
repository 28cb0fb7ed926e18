package ebb.ledbat.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.QlogOption;
import ebb.core.kompics.KompicsSystem;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import ebb.ledbat.qlog.QlogFile;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import se.sics.kompics.Component;

/** {@code ebb ledbat cat}. */
@Command(
    name = "cat",
    mixinStandardHelpOptions = true,
    description = {
      "Join standard input and output to a peer over LEDBAT.",
      "As netcat does over TCP: the bytes travel as they are, so the peer can be any uTP program.",
      "The side that connects must speak first; the side that listens (-l) serves one connection."
    })
public final class CatCommand implements EbbCommand {
  /** What keys are told that a connection is for. */
  private static final String PURPOSE = "cat";

  private static final long ABORT_MILLIS = 1_000;

  @Option(names = "-l", description = "Listen for one connection instead of making one.")
  boolean listen;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Listen on this address only (default: all).")
  @Nullable String bind;

  @Parameters(
      arity = "1..2",
      hideParamSyntax = true,
      paramLabel = "[HOST:]PORT",
      description = "PORT with -l; otherwise HOST:PORT or HOST PORT.")
  List<String> words = List.of();

  @Mixin LedbatOptions ledbat = new LedbatOptions();

  @Mixin IncomingOptions incoming = new IncomingOptions();

  @Override
  public String group() {
    return "ledbat";
  }

  @Override
  public Integer call() throws InterruptedException {
    try (QlogOption.Opened<QlogFile> qlog = ledbat.openQlog("ebb ledbat cat")) {
      return call(qlog.file());
    }
  }

  @SuppressWarnings("try") // the resources are there to be closed
  private Integer call(@Nullable QlogFile qlog) throws InterruptedException {
    InetSocketAddress remote = listen ? null : remote();
    InetSocketAddress local = remote == null ? local() : Addresses.anyFor(remote);
    CompletableFuture<ExitCode> result = new CompletableFuture<>();
    ExecutorService threads = IoThreads.create();
    Cat.Init cat =
        new Cat.Init(
            remote,
            new FileInputStream(FileDescriptor.in).getChannel(),
            new FileOutputStream(FileDescriptor.out).getChannel(),
            threads,
            result,
            this::listening);
    Farewell farewell = new Farewell(ledbat.drivers(PURPOSE));
    LedbatStreamsComponent.Init streams =
        new LedbatStreamsComponent.Init(local, config(remote, qlog), farewell);
    try (Interrupts.Registration interrupts =
            Interrupts.onInterrupt(ABORT_MILLIS, ExitCode.INCOMPLETE, () -> interrupted(cat));
        KompicsSystem<Component> system =
            LedbatRuntime.start(streams, Cat.class, cat, result::completeExceptionally);
        PortProbe probe = remote == null ? null : PortProbe.start(remote, result)) {
      ExitCode code = result.get();
      farewell.await();
      return code.value();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof EbbException known) {
        throw known;
      }
      throw new IllegalStateException(failure.getCause());
    }
  }

  private LedbatConfig config(@Nullable InetSocketAddress remote, @Nullable QlogFile qlog) {
    LedbatConfigBuilder builder = ledbat.config(remote, qlog).toBuilder();
    incoming.applyTo(builder);
    return builder.build();
  }

  /** Only where the user cannot know the port; otherwise netcat's silence is kept. */
  private void listening(InetSocketAddress bound) {
    if (words.get(0).equals("0")) {
      System.err.println("ebb: listening on " + Addresses.text(bound));
    }
  }

  private InetSocketAddress remote() {
    if (words.size() == 1) {
      return Addresses.remote(words.get(0));
    }
    return new InetSocketAddress(Addresses.host(words.get(0)), Addresses.port(words.get(1), 1));
  }

  private InetSocketAddress local() {
    if (words.size() != 1) {
      throw new EbbException(ExitCode.USAGE, "-l takes a port and nothing else");
    }
    return new InetSocketAddress(
        Addresses.host(bind == null ? "0.0.0.0" : bind), Addresses.port(words.get(0), 0));
  }

  /** In the shutdown; the peer is told with a RESET. */
  private static void interrupted(Cat.Init cat) {
    cat.abort();
    try {
      cat.result.get(ABORT_MILLIS / 2, TimeUnit.MILLISECONDS);
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | java.util.concurrent.TimeoutException gone) {
      return;
    }
  }
}

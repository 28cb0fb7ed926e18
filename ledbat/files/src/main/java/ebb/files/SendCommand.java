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
import ebb.ledbat.command.Addresses;
import ebb.ledbat.command.IoThreads;
import ebb.ledbat.command.LedbatOptions;
import ebb.ledbat.command.LedbatRuntime;
import ebb.ledbat.command.PortProbe;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import ebb.ledbat.qlog.QlogFile;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import se.sics.kompics.Component;

/** {@code ebb ledbat send}. */
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    description = {
      "Send files to a receiver in the background of other traffic.",
      "The receiver is 'ebb ledbat receive'.",
      "A transfer that broke goes on where it was when the same command is given again."
    })
public final class SendCommand implements EbbCommand {
  private static final long TICK_MILLIS = 200;
  private static final long ABORT_MILLIS = 3_000;

  @Parameters(
      arity = "2..*",
      hideParamSyntax = true,
      paramLabel = "FILE... HOST:PORT",
      description = "What to send, and where to; an IPv6 address goes into brackets.")
  List<String> words = List.of();

  @Option(names = "-r", description = "Send directories with all they contain.")
  boolean recursive;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  boolean json;

  @Mixin LedbatOptions ledbat = new LedbatOptions();

  @Override
  public String group() {
    return "ledbat";
  }

  @Override
  public Integer call() throws InterruptedException {
    try (QlogOption.Opened<QlogFile> qlog = ledbat.openQlog("ebb ledbat send")) {
      return call(qlog.file());
    }
  }

  @SuppressWarnings("try") // the resources are there to be closed
  private Integer call(@Nullable QlogFile qlog) throws InterruptedException {
    int last = words.size() - 1;
    SourceTree sources = sources(words.subList(0, last));
    InetSocketAddress remote = Addresses.remote(words.get(last));
    Output output = Output.standard(json);
    SendView view = new SendView(output, Progress.standard(output), sources.totals());
    LedbatStreamsComponent.Init streams =
        new LedbatStreamsComponent.Init(
            Addresses.anyFor(remote),
            ledbat.ebbOnlyConfig(remote, qlog),
            ledbat.drivers(FileSender.PURPOSE));

    CompletableFuture<SendReport> result = new CompletableFuture<>();
    ExecutorService threads = IoThreads.create();
    TransferMonitor monitor = view.monitor();
    FileSender.Init sender =
        new FileSender.Init(remote, sources, threads, ledbat.keyed(), view, monitor, result);
    try (Interrupts.Registration interrupts =
            Interrupts.onInterrupt(
                ABORT_MILLIS, ExitCode.INCOMPLETE, () -> interrupted(view, monitor, result));
        KompicsSystem<Component> system =
            LedbatRuntime.start(streams, FileSender.class, sender, result::completeExceptionally);
        PortProbe probe = PortProbe.start(remote, result)) {
      SendReport report = await(result, view);
      return view.finish(remote, report).value();
    } finally {
      threads.shutdownNow();
    }
  }

  private SourceTree sources(List<String> names) {
    List<Path> paths = new ArrayList<>();
    try {
      for (String name : names) {
        paths.add(Path.of(name));
      }
      return SourceTree.of(paths, recursive);
    } catch (InvalidPathException bad) {
      throw new EbbException(
          ExitCode.USAGE,
          "cannot read the name '"
              + TerminalText.printable(bad.getInput())
              + "' in this locale (try LC_ALL=C.UTF-8)");
    } catch (SourceTree.BadSourceException bad) {
      throw new EbbException(ExitCode.USAGE, Reasons.reason(bad));
    }
  }

  private static SendReport await(CompletableFuture<SendReport> result, SendView view)
      throws InterruptedException {
    while (true) {
      try {
        return result.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException running) {
        view.tick();
      } catch (ExecutionException failure) {
        view.clear();
        if (failure.getCause() instanceof EbbException known) {
          throw known;
        }
        throw new IllegalStateException(failure.getCause());
      }
    }
  }

  /** In the shutdown; the process ends when this returns. */
  private static void interrupted(
      SendView view, TransferMonitor monitor, CompletableFuture<SendReport> result) {
    view.interrupted();
    monitor.abort();
    try {
      result.get(ABORT_MILLIS / 2, TimeUnit.MILLISECONDS);
      // The RESET still has to leave this machine.
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (ExecutionException | TimeoutException gone) {
      return;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}

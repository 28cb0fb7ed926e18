package ebb.selfbench.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.ResultFiles;
import ebb.core.process.RunningProgram;
import ebb.core.units.ByteSize;
import ebb.selfbench.builtin.BuiltInSubjects;
import ebb.selfbench.process.PeerPrograms;
import ebb.selfbench.report.TransportReport;
import ebb.selfbench.side.BenchMode;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.InstalledSubjects;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb bench transport}: this machine's transports side by side, and Ebb's targets. */
@Command(
    name = "transport",
    mixinStandardHelpOptions = true,
    description = {
      "Measure Ebb beside other transports on this machine.",
      "Ebb, bare UDP, Kompics' NettyNetwork, kernel TCP and the uTP programs of others take turns,",
      "each side in a process of its own.",
      "With --bytes, --mode or --raw-millis instead: that many bytes over one LEDBAT connection",
      "with real congestion control, what limited it, and what raw UDP reaches the same way."
    })
public final class TransportCommand implements EbbCommand {
  private static final long DEFAULT_BYTES = 2L << 30;
  private static final long DEFAULT_RAW_MILLIS = 3_000;
  private static final int DEFAULT_REPEAT = 5;
  private static final Period FULL = new Period(10_000, 3_000);
  private static final Period QUICK = new Period(1_500, 1_500);
  private static final int QUICK_REPEAT = 3;
  private static final long INTERRUPT_WAIT_MILLIS = 2_000;
  private static final long START_AND_END_MILLIS = 1_000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Measures these only, separated by commas; an unknown name lists them all.")
  private List<String> only = List.of();

  @Option(
      names = "--after",
      split = ",",
      paramLabel = "FILE",
      description = {
        "Goes on after runs whose --json records these are, in their order:",
        "their rounds come before this one's, in all that is printed and written."
      })
  private List<Path> after = List.of();

  @Option(names = "--quick", description = "Shorter and fewer, for a first look.")
  private boolean quick;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "How often each is measured (5; 3 with --quick; 1 with --bytes).")
  private @Nullable Integer repeat;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each is measured, after a warm-up of 10 s, or of as long (3).")
  private @Nullable Double seconds;

  @Option(
      names = "--peers",
      paramLabel = "DIR",
      description = "Where ledbat/interop/peers/install has put the programs of others.")
  private @Nullable Path peers;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the file transfer's files go (where temporary files go).")
  private @Nullable Path directory;

  @Option(names = "--write", paramLabel = "FILE", description = "Writes docs/performance.md, too.")
  private @Nullable Path page;

  @Option(names = "--bytes", description = "How much to move over one connection (2Gi).")
  private @Nullable ByteSize bytes;

  @Option(
      names = "--datagram",
      defaultValue = "1400",
      description = "UDP payload size, 576 to 65507 (default ${DEFAULT-VALUE}).")
  private int datagram = 1_400;

  @Option(names = "--mode", description = "${COMPLETION-CANDIDATES} (AUTO).")
  private @Nullable BenchMode mode;

  @Option(
      names = "--raw-millis",
      description = "How long the raw ceiling is measured; 0 leaves it out (3000).")
  private @Nullable Long rawMillis;

  @Option(names = "--json", description = "One result record on standard output.")
  private boolean json;

  @Override
  public String group() {
    return "bench";
  }

  @Override
  public Integer call() throws InterruptedException {
    if (bytes != null && bytes.bytes() < 1) {
      throw new EbbException(ExitCode.USAGE, "--bytes must be at least 1");
    }
    if (datagram < 576 || datagram > 65_507) {
      throw new EbbException(ExitCode.USAGE, "--datagram must be 576 to 65507: " + datagram);
    }
    if ((repeat != null && repeat < 1) || (rawMillis != null && rawMillis < 0)) {
      throw new EbbException(
          ExitCode.USAGE, "--repeat must be at least 1 and --raw-millis at least 0");
    }
    if (seconds != null && !(seconds >= 0.1 && seconds <= 600)) {
      throw new EbbException(ExitCode.USAGE, "--seconds must be 0.1 to 600: " + seconds);
    }
    Output output = Output.standard(json);
    boolean single = bytes != null || mode != null || rawMillis != null;
    return (single ? single(output) : sideBySide(output)).value();
  }

  private ExitCode single(Output output) throws InterruptedException {
    try (BenchContext context = new BenchContext(datagram, new PeerPrograms(peers), directory)) {
      return new SingleTransfer(
              Objects.requireNonNullElse(mode, BenchMode.AUTO),
              bytes == null ? DEFAULT_BYTES : bytes.bytes(),
              context,
              Objects.requireNonNullElse(rawMillis, DEFAULT_RAW_MILLIS))
          .run(Objects.requireNonNullElse(repeat, 1), output);
    }
  }

  private ExitCode sideBySide(Output output) throws InterruptedException {
    ResultFiles.checkWritable(page);
    List<Subject> all = InstalledSubjects.after(BuiltInSubjects.all());
    List<Subject> chosen = chosen(all);
    try (BenchContext context = new BenchContext(datagram, new PeerPrograms(peers), directory)) {
      Interrupts.Registration interrupts =
          Interrupts.onInterrupt(
              INTERRUPT_WAIT_MILLIS,
              ExitCode.INCOMPLETE,
              () -> {
                RunningProgram.endAll();
                context.veth().remove();
              });
      try {
        return measure(all, chosen, context, output);
      } finally {
        interrupts.close();
      }
    }
  }

  private ExitCode measure(
      List<Subject> all, List<Subject> chosen, BenchContext context, Output output)
      throws InterruptedException {
    int rounds = Objects.requireNonNullElse(repeat, quick ? QUICK_REPEAT : DEFAULT_REPEAT);
    TransportReport report =
        new TransportReport(datagram, period(), rounds, Versions.of(context.peers()));
    EarlierRounds earlier = EarlierRounds.read(after, report.settings());
    long millis = period().warmUpMillis() + period().millis() + START_AND_END_MILLIS;
    output.note(
        String.format(
            Locale.ROOT,
            "%d subjects, %d rounds: about %d minutes; nothing else should run meanwhile",
            chosen.size(),
            rounds,
            Math.max(1, Math.round(millis * chosen.size() * rounds / 60e3))));
    report.add(
        new InterleavedRun(all, chosen, earlier, context, period(), output).run(rounds), all);
    report.lines().forEach(output::line);
    output.json(report.result().toJson());
    if (ResultFiles.write(page, file -> Files.writeString(file, report.page()))) {
      output.note("wrote " + page);
    }
    return ExitCode.DONE;
  }

  private Period period() {
    if (seconds == null) {
      return quick ? QUICK : FULL;
    }
    long millis = Math.round(seconds * 1e3);
    return new Period(Math.min(FULL.warmUpMillis(), millis), millis);
  }

  private List<Subject> chosen(List<Subject> all) {
    List<String> names = all.stream().map(Subject::name).toList();
    for (String name : only) {
      if (!names.contains(name.toLowerCase(Locale.ROOT))) {
        throw new EbbException(
            ExitCode.USAGE, "--only: no " + name + "; there are " + String.join(", ", names));
      }
    }
    return only.isEmpty()
        ? all
        : all.stream()
            .filter(one -> only.stream().anyMatch(name -> name.equalsIgnoreCase(one.name())))
            .toList();
  }
}

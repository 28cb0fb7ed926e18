package ebb.vm.command;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.run.BucketLeftovers;
import ebb.vm.run.BucketLeftovers.RunObjects;
import ebb.vm.run.Leftovers;
import ebb.vm.run.Leftovers.Leftover;
import ebb.vm.run.RunCleanup;
import ebb.vm.run.RunFiles;
import ebb.vm.run.RunStores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ebb vm gc}. It owns the question; what is a leftover {@link Leftovers} says, what is shown
 * of it {@link GcTable}.
 */
@Command(
    name = "gc",
    mixinStandardHelpOptions = true,
    description = {
      "Find what runs left, say what it costs, delete it after asking.",
      "VMs, disks, firewall rules and, with --bucket, objects that carry a run's labels and have",
      "expired, whoever made them; with --run, all that is that run's. With --yes it asks nobody, as",
      "for cron: exit code 0 when nothing is left, 5 when something could not be deleted."
    })
public final class VmGcCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();

  @Option(
      names = "--bucket",
      paramLabel = "gs://BUCKET",
      description = "Also the objects that runs left there, whoever's they were.")
  @Nullable String bucket;

  @Option(
      names = "--run",
      paramLabel = "ID",
      description = "Whatever is this run's, expired or not.")
  @Nullable String run;

  @Option(names = "--yes", description = "Delete without asking.")
  boolean yes;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(json);
    try (VmSession session = providers.session(options, text -> {});
        BucketLeftovers objects =
            bucket == null ? null : RunStores.leftovers(bucket, options.storage())) {
      List<Leftover> found = Leftovers.find(session::ask, run);
      List<RunObjects> kept = objects == null ? List.of() : objects.find(run);
      GcTable table = new GcTable(run != null, Instant.now(), output);
      found.forEach(table::add);
      kept.forEach(one -> table.add(one, String.valueOf(bucket)));
      table.print();
      List<Leftover> over = found.stream().filter(one -> table.isOver(one.labels())).toList();
      List<RunObjects> overObjects =
          kept.stream().filter(one -> table.isOver(one.labels())).toList();
      int count = over.size() + overObjects.size();
      boolean delete = count > 0 && (yes || agreed(output, count));
      int failed = 0;
      if (delete) {
        failed = remove(session, over, output);
        failed += objects == null ? 0 : remove(objects, overObjects, output);
      }
      if (failed == 0 && (yes || delete)) {
        forget(output);
      }
      int deleted = delete ? count - failed : 0;
      ResultRecord.Builder result = ResultRecord.of("vm gc");
      table.rows().forEach(result::row);
      result
          .figure("found", found.size() + kept.size())
          .figure("deleted", deleted)
          .figure("failed", failed)
          .figure("dollars_per_hour", table.dollarsPerHour());
      output.line(
          found.isEmpty() && kept.isEmpty()
              ? "nothing is left of any run"
              : deleted == 0 && failed == 0 ? "nothing deleted" : deleted + " deleted");
      output.json(result.build(failed == 0, 0).toJson());
      if (failed > 0) {
        throw new EbbException(ExitCode.INCOMPLETE, failed + " could not be deleted, see above");
      }
      return ExitCode.DONE.value();
    } catch (IOException e) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, OneLine.of(e), e);
    }
  }

  private static int remove(BucketLeftovers objects, List<RunObjects> over, Output output) {
    int failed = 0;
    for (RunObjects one : over) {
      try {
        objects.remove(one);
      } catch (IOException e) {
        failed++;
        output.note(TerminalText.printable(OneLine.of(e)));
      }
    }
    return failed;
  }

  /** Removes all at the same time; returns how many could not be. */
  private static int remove(VmSession session, List<Leftover> over, Output output) {
    List<CompletableFuture<Done>> answers = new ArrayList<>();
    over.forEach(one -> answers.add(session.send(one.removal())));
    int failed = 0;
    for (CompletableFuture<Done> answer : answers) {
      Outcome outcome = VmSession.got(answer).outcome();
      // What has gone by itself in the meantime is gone.
      if (!outcome.succeeded() && outcome.failure() != FailureKind.NOT_FOUND) {
        failed++;
        output.note(TerminalText.printable(outcome.message()));
      }
    }
    return failed;
  }

  /** What is left of runs on this machine and in their buckets, when nothing else is. */
  private void forget(Output output) {
    RunFiles files = options.files();
    for (String id : files.runIds()) {
      if ((run == null || run.equals(id))
          && Objects.equals(files.load(id).setting().endpoint(), options.endpoint)
          && RunCleanup.forget(files, id, providers.isLocal(), run != null, options.storage())) {
        output.line("run " + id + " is over");
      }
    }
  }

  /** Anything but a yes is a no, the end of the input too. */
  private static boolean agreed(Output output, int count) throws IOException {
    output.note("ebb: delete " + (count == 1 ? "this" : "these " + count) + "? [y/N]");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String answer = in.readLine();
    return answer != null && (answer.strip().equals("y") || answer.strip().equals("yes"));
  }
}

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
import ebb.vm.run.Leftovers;
import ebb.vm.run.Leftovers.Leftover;
import ebb.vm.run.RunCleanup;
import ebb.vm.run.RunFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm gc}. It owns the question; what is a leftover {@link Leftovers} says. */
@Command(
    name = "gc",
    mixinStandardHelpOptions = true,
    description = {
      "Find what runs have left, and delete it after asking.",
      "VMs, disks and firewall rules that carry a run's labels and have expired; with --run, all",
      "that is that run's."
    })
public final class VmGcCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();

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
    try (VmSession session = providers.session(options, text -> {})) {
      List<Leftover> found = Leftovers.find(session::ask, run);
      List<Leftover> over = new ArrayList<>();
      for (Leftover one : found) {
        boolean remove = run != null || one.labels().isExpired(Instant.now());
        if (remove) {
          over.add(one);
        }
        output.line(TerminalText.printable(line(one) + (remove ? "" : "; left alone")));
      }
      boolean delete = !over.isEmpty() && (yes || agreed(output, over.size()));
      int failed = delete ? remove(session, over, output) : 0;
      if (failed == 0 && (yes || delete)) {
        forget(output);
      }
      ResultRecord.Builder result = ResultRecord.of("vm gc");
      over.forEach(one -> result.row(row(one)));
      int deleted = delete ? over.size() - failed : 0;
      result.figure("found", found.size()).figure("deleted", deleted).figure("failed", failed);
      output.line(
          found.isEmpty()
              ? "nothing is left of any run"
              : deleted == 0 && failed == 0 ? "nothing deleted" : deleted + " deleted");
      output.json(result.build(failed == 0, 0).toJson());
      if (failed > 0) {
        throw new EbbException(ExitCode.INCOMPLETE, failed + " could not be deleted, see above");
      }
      return ExitCode.DONE.value();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, OneLine.of(e), e);
    }
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
    RunFiles files = providers.files();
    for (String id : files.runIds()) {
      if ((run == null || run.equals(id))
          && RunCleanup.forget(files, id, providers.isLocal(), run != null, options.storage())) {
        output.line("run " + id + " is over");
      }
    }
  }

  private static String line(Leftover one) {
    return one.what()
        + ", run "
        + one.labels().runId()
        + " of "
        + one.labels().owner()
        + ", until "
        + one.labels().expires();
  }

  private static Map<String, @Nullable Object> row(Leftover one) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("what", one.what());
    row.put("run", one.labels().runId());
    row.put("owner", one.labels().owner());
    row.put("expires", one.labels().expires().toString());
    return row;
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

package ebb.storage.command;

import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.core.units.Human;
import ebb.core.units.Micros;
import ebb.storage.bench.AccountRows;
import ebb.storage.bench.Leftovers;
import ebb.storage.bench.Leftovers.Leftover;
import ebb.storage.client.Account;
import ebb.storage.client.OperationRunner;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreTarget;
import ebb.storage.store.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb storage gc}. It owns the question; what is a leftover {@link Leftovers} says. */
@Command(
    name = "gc",
    mixinStandardHelpOptions = true,
    description = {
      "Delete what interrupted runs have left, after asking.",
      "Buckets, directories and objects: only what carries a run's mark is touched. With gs:// all",
      "buckets of the project are looked at, with gs://BUCKET the objects of runs in that bucket."
    })
public final class StorageGcCommand implements EbbCommand {
  @Mixin StoreOptions stores = new StoreOptions();

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "1h",
      description =
          "Leave alone what began less than this ago, for it may be a run that goes on"
              + " (default: ${DEFAULT-VALUE}).")
  Micros olderThan = Micros.parse("1h");

  @Option(names = "--yes", description = "Delete without asking.")
  boolean yes;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() {
    if (stores.target == null) {
      throw new EbbException(ExitCode.USAGE, "--target is missing: " + Stores.usage());
    }
    Output output = Output.standard(json);
    StoreTarget target = stores.target();
    ResultRecord.Builder result = ResultRecord.of("storage gc").fact("target", target.text());
    try (OpenStore opened = stores.open(1);
        ObjectStore store = opened.store()) {
      OperationRunner runner = new OperationRunner(store, stores.policy());
      List<Leftover> found =
          target.container() == null
              ? Leftovers.containers(runner)
              : Leftovers.objects(runner, target.container());
      List<Leftover> old = new ArrayList<>();
      for (Leftover one : found) {
        boolean tooNew = isTooNew(one);
        if (!tooNew) {
          old.add(one);
        }
        output.line(TerminalText.printable(line(one) + (tooNew ? "; too new, left alone" : "")));
      }
      boolean delete = !old.isEmpty() && (yes || agreed(output, old.size()));
      int deleted = 0;
      RequestFailedException failure = null;
      for (Leftover one : old) {
        if (delete && failure == null) {
          failure = failureToRemove(runner, one);
          deleted += failure == null ? 1 : 0;
        }
        result.row(row(one, delete && failure == null));
      }
      output.line(
          found.isEmpty()
              ? "nothing is left of any run"
              : !delete
                  ? "nothing deleted"
                  : deleted + " deleted" + (failure == null ? "" : " of " + old.size()));
      AccountRows.table(runner.account())
          .forEach(line -> output.line(TerminalText.printable(line)));
      for (Account.Line line : runner.account().lines()) {
        if (!line.causes().isEmpty()) {
          result.warning(line.operation() + ": " + line.troubles());
        }
        result.row(AccountRows.row(line));
      }
      result.figure("found", found.size()).figure("deleted", deleted);
      ExitCode code = failure == null ? ExitCode.DONE : ExitCode.INCOMPLETE;
      if (failure != null) {
        result.fact("failure", failure.line());
        output.note(
            TerminalText.printable("ebb: " + failure.line() + "; the same command goes on then"));
      }
      output.json(result.build(failure == null, code.value()).toJson());
      return code.value();
    } catch (RequestFailedException e) {
      throw new EbbException(StoreOptions.exitCode(e.kind()), e.line(), e);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, OneLine.of(e), e);
    }
  }

  private static @Nullable RequestFailedException failureToRemove(
      OperationRunner runner, Leftover one) {
    try {
      Leftovers.remove(runner, one);
      return null;
    } catch (RequestFailedException e) {
      return e;
    }
  }

  private boolean isTooNew(Leftover one) {
    long age = Instant.now().getEpochSecond() - one.startedSeconds();
    return one.startedSeconds() >= 0 && age < olderThan.micros() / 1_000_000;
  }

  private static String line(Leftover one) {
    String age =
        one.startedSeconds() < 0
            ? ""
            : ", begun "
                + Human.clock(Instant.now().getEpochSecond() - one.startedSeconds())
                + " ago";
    return (one.whole() ? "'" : "in '")
        + one.container()
        + "': "
        + one.objects().size()
        + " objects, "
        + Human.bytes((double) one.bytes())
        + age
        + " (recognised "
        + one.how()
        + ")";
  }

  private static Map<String, @Nullable Object> row(Leftover one, boolean deleted) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("container", one.container());
    row.put("whole", one.whole());
    row.put("objects", (long) one.objects().size());
    row.put("bytes", one.bytes());
    row.put("deleted", deleted);
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

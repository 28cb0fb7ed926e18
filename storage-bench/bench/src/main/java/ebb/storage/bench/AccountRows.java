package ebb.storage.bench;

import ebb.core.units.Human;
import ebb.storage.client.Account;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An account of a store, as rows of a result and as a table for people. */
public final class AccountRows {
  /** What the rows say in their column "scope". */
  public static final String SCOPE = "account";

  private AccountRows() {}

  /** A row of a result; {@code case} is the operation. */
  public static Map<String, @Nullable Object> row(Account.Line line) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("case", line.operation());
    row.put("scope", SCOPE);
    row.put("operations", line.operations());
    row.put("requests", line.requests());
    row.put("retries", line.retries());
    row.put("failures", line.failures());
    row.put("cancelled", line.cancelled());
    row.put("backoff_micros", line.backoffMicros());
    row.put("bytes", line.bytes());
    row.put("causes", line.troubles());
    return row;
  }

  /** Lines of at most 100 characters, but for causes; none when nothing was asked for. */
  public static List<String> table(Account account) {
    List<String> lines = new ArrayList<>();
    for (Account.Line line : account.lines()) {
      if (lines.isEmpty()) {
        lines.add("");
        lines.add(
            String.format(
                Locale.ROOT,
                "%-18s %10s %10s %8s %7s %10s %10s  %s",
                "all requests",
                "operations",
                "requests",
                "retries",
                "failed",
                "back-off",
                "bytes",
                "causes"));
      }
      lines.add(
          String.format(
                  Locale.ROOT,
                  "%-18s %10d %10d %8d %7d %10s %10s  %s",
                  line.operation(),
                  line.operations(),
                  line.requests(),
                  line.retries(),
                  line.failures(),
                  Human.micros(line.backoffMicros()),
                  Human.bytes((double) line.bytes()),
                  line.troubles())
              .stripTrailing());
    }
    return lines;
  }
}

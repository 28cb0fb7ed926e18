package ebb.proxy.command;

import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.proxy.server.ProxyServer;
import ebb.proxy.server.Steering;
import ebb.proxy.server.Usage;
import java.util.LinkedHashMap;

/** What people and programs see of a proxy: a line while it runs, and the result at its end. */
final class View {
  private final ProxyServer proxy;
  private final Output output;
  private final ResultRecord.Builder result;
  private final Steering steering;
  private final Progress progress;
  private Usage.Snapshot shown = Usage.Snapshot.NOTHING;

  View(ProxyServer proxy, Output output, ResultRecord.Builder result, Steering steering) {
    this.proxy = proxy;
    this.output = output;
    this.result = result;
    this.steering = steering;
    progress = Progress.standard(output);
  }

  /** Shows the line if it is time for one and anything has happened. */
  void progress() {
    Usage.Snapshot now = proxy.snapshot();
    if (!now.equals(shown)) {
      progress.update(
          () -> {
            shown = now;
            return line(now);
          });
    }
  }

  private static String line(Usage.Snapshot now) {
    return now.open()
        + (now.open() == 1 ? " connection, " : " connections, ")
        + Human.bitRate(now.downBytesPerSecond() * Byte.SIZE)
        + " down, "
        + Human.bitRate(now.upBytesPerSecond() * Byte.SIZE)
        + " up; in all "
        + Human.bytes((double) now.downBytes())
        + " down, "
        + Human.bytes((double) now.upBytes())
        + " up";
  }

  /** Ends the proxy, and says what it was used for. */
  void end(int exitCode) {
    proxy.close();
    Usage.Snapshot last = proxy.snapshot();
    progress.clear();
    if (last.connections() > 0) {
      output.note(
          "ebb: "
              + last.connections()
              + (last.connections() == 1 ? " connection, " : " connections, ")
              + Human.bytes((double) last.downBytes())
              + " down, "
              + Human.bytes((double) last.upBytes())
              + " up"
              + (last.refused() == 0 ? "" : ", " + last.refused() + " refused"));
    }
    result
        .figure("connections", last.connections())
        .figure("refused", last.refused())
        .figure("down_bytes", last.downBytes())
        .figure("up_bytes", last.upBytes())
        .fact("steering", steering.describe());
    for (Usage.Row row : last.rows()) {
      result.row(
          new LinkedHashMap<>(
              java.util.Map.of(
                  "host", row.host(),
                  "class", row.destinationClass(),
                  "connections", row.connections(),
                  "down_bytes", row.downBytes(),
                  "up_bytes", row.upBytes())));
    }
    output.json(result.build(true, exitCode).toJson());
  }
}

package ebb.net.command;

import ebb.core.units.Human;
import ebb.net.control.TestSpec;
import ebb.net.run.RunOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * One cell of a sweep and what its runs found.
 *
 * @param spec what each client does
 * @param durationMicros 0 when the amount ends it
 * @param clients at once
 * @param runs the outcomes of each repetition, one a client
 */
record SweepCase(TestSpec spec, long durationMicros, int clients, List<List<RunOutcome>> runs) {
  static SweepCase of(TestSpec spec, long durationMicros, int clients) {
    return new SweepCase(spec, durationMicros, clients, new ArrayList<>());
  }

  /** {@code UDP streaming, 1.40 kB, 10.0 Mbit/s, 2 clients}. */
  String name() {
    return spec.name()
        + ", "
        + bytes(spec.messageBytes())
        + (spec.bitsPerSecond() > 0 ? ", " + Human.bitRate((double) spec.bitsPerSecond()) : "")
        + (spec.amountBytes() > 0 ? ", " + bytes(spec.amountBytes()) : "")
        + (clients > 1 ? ", " + clients + " clients" : "");
  }

  /** Powers of 1024 by their names, as the seeds have them. */
  static String bytes(long bytes) {
    if (bytes >= 1 << 30 && bytes % (1 << 30) == 0) {
      return bytes / (1 << 30) + " GB";
    }
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return bytes / (1 << 20) + " MB";
    }
    if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) {
      return bytes / (1 << 10) + " KB";
    }
    return bytes + " B";
  }

  /** All runs of all clients. */
  List<RunOutcome> all() {
    return runs.stream().flatMap(List::stream).toList();
  }

  /** The runs of one client. */
  List<RunOutcome> ofClient(int client) {
    return runs.stream().filter(run -> run.size() > client).map(run -> run.get(client)).toList();
  }
}

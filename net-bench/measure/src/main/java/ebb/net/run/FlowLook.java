package ebb.net.run;

import ebb.net.control.FlowCounts;
import ebb.net.flow.FlowFigures;
import java.util.List;
import java.util.Optional;

/**
 * What a flow had counted, and what its transport told, at one moment. Immutable.
 *
 * @param figures nothing from a busy loop, or from a flow that has ended
 * @param atMicros on the run's clock
 */
record FlowLook(FlowCounts counts, Optional<FlowFigures> figures, long atMicros) {
  /** When the last of several was taken. */
  static long lastMicros(List<FlowLook> looks) {
    return looks.stream().mapToLong(FlowLook::atMicros).max().orElse(Long.MIN_VALUE);
  }

  /** Between the first and the last of several. */
  static long apartMicros(List<FlowLook> looks) {
    long first = looks.stream().mapToLong(FlowLook::atMicros).min().orElse(Long.MIN_VALUE);
    return lastMicros(looks) - first;
  }
}

package ebb.storage.bench;

import ebb.storage.port.ObjectEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * How a phase ended.
 *
 * @param cancelled whether it was told to end early
 * @param processes of each lane
 * @param lanes what each came to, in the phase's order
 * @param transfers each operation, if the phase keeps them
 * @param entries of the listings in it
 */
public record PhaseResult(
    boolean cancelled,
    List<Integer> processes,
    List<LaneResult> lanes,
    List<Transfer> transfers,
    List<ObjectEntry> entries) {
  public LaneResult sum() {
    return LaneResult.sum(lanes);
  }

  /** The lanes of one process together. */
  public LaneResult process(int process) {
    List<LaneResult> its = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      if (processes.get(i) == process) {
        its.add(lanes.get(i));
      }
    }
    return LaneResult.sum(its);
  }
}

package ebb.storage.store;

import java.util.List;
import java.util.Map;

/**
 * A store that has been opened, and what there is to say about it.
 *
 * @param where it is, for people
 * @param roomBytes that surely do not fit beyond; {@link Long#MAX_VALUE} when nobody says
 * @param facts for results, in this order: the {@code endpoint} and others
 * @param cautions about its figures, a line each
 * @param elsewhere words with which another process opens it as {@code gs:}; none when that takes
 *     the same target and settings
 * @param around ends what was started for the store; the store itself is closed by whom it is given
 *     to
 */
public record OpenStore(
    ObjectStore store,
    String where,
    long roomBytes,
    Map<String, String> facts,
    List<String> cautions,
    Map<String, String> elsewhere,
    Runnable around)
    implements AutoCloseable {
  /** A store with nothing around it, in as much room as it needs. */
  public static OpenStore of(
      ObjectStore store, StoreTarget target, String endpoint, List<String> cautions) {
    return new OpenStore(
        store,
        target.text(),
        Long.MAX_VALUE,
        Map.of("endpoint", endpoint),
        List.copyOf(cautions),
        Map.of(),
        () -> {});
  }

  /** The same with less room. */
  public OpenStore withRoomBytes(long bytes) {
    return new OpenStore(store, where, bytes, facts, cautions, elsewhere, around);
  }

  @Override
  public void close() {
    around.run();
  }
}

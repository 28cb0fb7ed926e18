package ebb.ledbat.secure;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys of an endpoint: the one that it proves itself with where it connects, and those that are
 * valid for peers that connect to it. They can be changed while it runs; connections that there are
 * stay. Thread-safe.
 *
 * <p>To change a key without a stop, everywhere: first accept the new one beside the old, then use
 * the new one and accept the old, then drop the old.
 */
public final class KeyRing {
  /** Each costs a stranger's first message two key derivations. */
  public static final int MAX_KEYS = 4;

  private volatile List<PresharedKey> keys;

  /**
   * A ring.
   *
   * @param current for connections that are opened, and valid for those that are accepted
   * @param alsoValid for those that are accepted
   * @throws IllegalArgumentException when there are more than {@link #MAX_KEYS} in all
   */
  public KeyRing(PresharedKey current, PresharedKey... alsoValid) {
    keys = list(current, alsoValid);
  }

  /** Replaces all keys, from the next connection or datagram on; parameters as above. */
  public void change(PresharedKey current, PresharedKey... alsoValid) {
    keys = list(current, alsoValid);
  }

  private static List<PresharedKey> list(PresharedKey current, PresharedKey... alsoValid) {
    List<PresharedKey> all = new ArrayList<>();
    all.add(current);
    all.addAll(List.of(alsoValid));
    if (all.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "at most %d keys are valid at a time, not %d".formatted(MAX_KEYS, all.size()));
    }
    return List.copyOf(all);
  }

  PresharedKey current() {
    return keys.get(0);
  }

  /** The current one first. */
  List<PresharedKey> valid() {
    return keys;
  }

  @Override
  public String toString() {
    return "KeyRing(" + keys.size() + ")";
  }
}

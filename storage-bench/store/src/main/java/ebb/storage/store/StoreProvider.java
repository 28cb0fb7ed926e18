package ebb.storage.store;

import ebb.core.attempts.RequestFailedException;
import java.util.Set;

/**
 * A kind of store, by the scheme of its targets. Kinds are found by {@link
 * java.util.ServiceLoader}: a new one is a package with an implementation of this, and its line in
 * {@code META-INF/services/ebb.storage.store.StoreProvider}.
 */
public interface StoreProvider {
  /** What its targets begin with, without the colon: letters, digits and dashes. */
  String scheme();

  /** Its targets as help texts show them, such as {@code file:DIR}. */
  String usage();

  /**
   * Reads what stands behind the colon of a target.
   *
   * @throws IllegalArgumentException with one line, for what it cannot be
   */
  StoreTarget target(String place);

  /** The words of {@link StoreSettings} that mean something to it. */
  default Set<String> words() {
    return Set.of();
  }

  /** Whether objects are whole things behind an interface, not files whose parts are near. */
  default boolean isObjectStore() {
    return true;
  }

  /** Whether another process that opens the same target meets the same containers. */
  default boolean isShared() {
    return true;
  }

  /** The largest object that it takes. */
  default long maxObjectBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * Opens a store.
   *
   * @throws RequestFailedException when that cannot be; INVALID when a setting is wrong
   */
  OpenStore open(StoreTarget target, StoreSettings settings) throws RequestFailedException;
}

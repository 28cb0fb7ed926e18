package ebb.storage.store;

import org.jspecify.annotations.Nullable;

/**
 * Where objects are to be.
 *
 * @param provider of this kind of store
 * @param place behind the colon, such as a directory
 * @param container that is meant, of those that are there; null for new ones
 */
public record StoreTarget(StoreProvider provider, String place, @Nullable String container) {
  /**
   * Reads a place {@code //CONTAINER}, or {@code //} and nothing for new containers.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  public static StoreTarget ofContainer(StoreProvider provider, String place) {
    if (!place.isEmpty() && !place.startsWith("//")) {
      throw new IllegalArgumentException(
          "no target '" + provider.scheme() + ":" + place + "'; give " + provider.usage());
    }
    String name = place.isEmpty() ? "" : place.substring(2);
    name = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    return new StoreTarget(
        provider, place.isEmpty() ? "" : "//" + name, name.isEmpty() ? null : name);
  }

  /** As it is typed. */
  public String text() {
    return provider.scheme() + ":" + place;
  }
}

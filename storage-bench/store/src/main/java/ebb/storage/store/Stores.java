package ebb.storage.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** All kinds of stores that there are. */
public final class Stores {
  private Stores() {}

  /** By scheme. */
  public static List<StoreProvider> all() {
    List<StoreProvider> all = new ArrayList<>();
    ServiceLoader.load(StoreProvider.class).forEach(all::add);
    all.sort(Comparator.comparing(StoreProvider::scheme));
    return all;
  }

  /**
   * The kind of store that a target is of, and the place in it.
   *
   * @throws IllegalArgumentException with one line, when there is no such kind or place
   */
  public static StoreTarget target(String text) {
    int colon = text.indexOf(':');
    for (StoreProvider provider : all()) {
      if (colon >= 0 && provider.scheme().equals(text.substring(0, colon))) {
        return provider.target(text.substring(colon + 1));
      }
    }
    throw new IllegalArgumentException("no target '" + text + "'; targets are " + usage());
  }

  /** How targets of all kinds look. */
  public static String usage() {
    return all().stream().map(StoreProvider::usage).collect(Collectors.joining(", "));
  }

  /** {@link StoreProvider#usage} of each kind, for help texts. */
  public static final class Usages implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all().stream().map(StoreProvider::usage).iterator();
    }
  }
}

package ebb.storage.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a store is to be opened.
 *
 * @param parallel operations at the same time, at most
 * @param requestAttempts of each request inside an operation, where the store has such; 1 for no
 *     retries
 * @param words what only some kinds of stores know, such as {@code endpoint}, by name and as it is
 *     typed ({@link StoreProvider#words})
 */
public record StoreSettings(int parallel, int requestAttempts, Map<String, String> words) {
  public StoreSettings {
    words = Map.copyOf(words);
  }

  /** Null when nobody has said it. */
  public @Nullable String word(String name) {
    return words.get(name);
  }

  /** The same with another word. */
  public StoreSettings with(String name, String word) {
    Map<String, String> all = new java.util.HashMap<>(words);
    all.put(name, word);
    return new StoreSettings(parallel, requestAttempts, all);
  }
}

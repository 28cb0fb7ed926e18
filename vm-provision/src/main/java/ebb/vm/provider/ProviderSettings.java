package ebb.vm.provider;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a provider is to be opened.
 *
 * @param directory where one that needs files of its own on this machine may keep them
 * @param words what only some kinds know, such as {@code project} and {@code endpoint}, by name and
 *     as they are typed
 */
public record ProviderSettings(Path directory, Map<String, String> words) {
  public ProviderSettings {
    words = Map.copyOf(words);
  }

  /** Null when nobody has said it. */
  public @Nullable String word(String name) {
    return words.get(name);
  }
}

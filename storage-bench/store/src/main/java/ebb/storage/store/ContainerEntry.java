package ebb.storage.store;

import java.util.Map;

/**
 * A container as a listing shows it.
 *
 * @param labels empty where the store keeps none
 */
public record ContainerEntry(String name, Map<String, String> labels) {
  public ContainerEntry {
    labels = Map.copyOf(labels);
  }
}

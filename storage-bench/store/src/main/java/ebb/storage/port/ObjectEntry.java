package ebb.storage.port;

import java.util.Map;

/**
 * An object as a listing shows it.
 *
 * @param labels that it was put with; empty where the store keeps none
 */
public record ObjectEntry(String name, long bytes, Map<String, String> labels) {
  public ObjectEntry {
    labels = Map.copyOf(labels);
  }

  public ObjectEntry(String name, long bytes) {
    this(name, bytes, Map.of());
  }
}

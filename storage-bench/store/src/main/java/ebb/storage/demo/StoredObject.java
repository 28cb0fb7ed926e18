package ebb.storage.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * An object of the demo server: a file beside others, so that memory does not grow with it.
 *
 * @param generation larger for each object, as the service has it
 */
record StoredObject(
    String name, long generation, Path file, long bytes, int crc32c, Map<String, String> metadata) {
  void discard() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      // The whole directory goes with the server.
      return;
    }
  }
}

package ebb.vm.local;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.text.OneLine;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a machine, in a file in its directory, which is there before anything of it.
 *
 * @param token in the environment of all of its processes, by which they are found
 * @param namespace its network namespace; null on loopback
 */
record LocalVm(
    VmRef ref,
    String machineType,
    String address,
    RequestId request,
    RunLabels labels,
    String token,
    @Nullable String namespace) {
  static final String FILE = "vm.json";

  void save(Path directory) throws IOException {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("zone", ref.zone());
    json.put("name", ref.name());
    json.put("machine_type", machineType);
    json.put("address", address);
    json.put("request", request.toString());
    json.put("labels", labels.asLine());
    json.put("token", token);
    json.put("namespace", namespace);
    Path part = directory.resolve(FILE + ".part");
    Files.writeString(part, JSON.std.asString(json));
    Files.move(part, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * The machine of a directory.
   *
   * @throws IOException when there is none, or it is not such a file
   */
  static LocalVm read(Path directory) throws IOException {
    Map<String, Object> json = JSON.std.mapFrom(Files.readString(directory.resolve(FILE)));
    try {
      return new LocalVm(
          new VmRef(text(json, "zone"), text(json, "name")),
          text(json, "machine_type"),
          text(json, "address"),
          new RequestId(UUID.fromString(text(json, "request"))),
          RunLabels.ofLine(text(json, "labels"))
              .orElseThrow(() -> new IllegalArgumentException("it has no labels")),
          text(json, "token"),
          (String) json.get("namespace"));
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new IOException(directory + " is no machine: " + OneLine.of(e), e);
    }
  }

  private static String text(Map<String, Object> json, String key) {
    if (json.get(key) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("'" + key + "' is missing");
  }
}

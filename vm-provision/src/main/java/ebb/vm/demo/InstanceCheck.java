package ebb.vm.demo;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What is wrong with a VM that is asked for, beyond the shape that the discovery document has. */
final class InstanceCheck {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_-]{0,63}");

  private InstanceCheck() {}

  static void check(String zone, Map<String, Object> body) throws ApiError {
    Inventory.checkZone(zone);
    String type = Json.text(body.get("machineType"));
    Inventory.checkMachineType(type, zone);
    if (Json.text(body.get("name")).isEmpty()) {
      throw ApiError.invalid("resource.name", "", "Must be given.");
    }
    if (Json.list(body.get("networkInterfaces")).isEmpty()) {
      throw ApiError.invalid("resource.networkInterfaces", "", "At least one is required.");
    }
    List<?> disks = Json.list(body.get("disks"));
    if (disks.isEmpty() || disks.size() > Inventory.maxDisks(type)) {
      throw ApiError.invalid(
          "resource.disks", "", disks.size() + " disks are too few or too many.");
    }
    for (int i = 0; i < disks.size(); i++) {
      Map<String, Object> disk = Json.object(disks.get(i));
      Map<String, Object> params = Json.object(disk.get("initializeParams"));
      Inventory.checkDiskType(Json.text(params.get("diskType")), zone);
      if (params.containsKey("sourceImage")) {
        Inventory.checkImage(Json.text(params.get("sourceImage")));
      } else if (i == 0) {
        throw ApiError.invalid("resource.disks[0]", "", "Boot disk must have a source specified");
      }
      if (Boolean.TRUE.equals(disk.get("boot")) != (i == 0)) {
        throw ApiError.invalid("resource.disks[" + i + "]", "", "The first disk is the boot disk.");
      }
    }
    for (Object value : Json.object(body.get("labels")).values()) {
      if (!LABEL.matcher(Json.text(value)).matches()) {
        throw ApiError.invalid("resource.labels", Json.text(value), "No label value.");
      }
    }
    Map<String, Object> scheduling = Json.object(body.get("scheduling"));
    if (scheduling.containsKey("maxRunDuration")
        && !scheduling.containsKey("instanceTerminationAction")) {
      throw ApiError.invalid(
          "resource.scheduling", "", "A maximum run duration needs a termination action.");
    }
  }
}

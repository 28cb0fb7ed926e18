package ebb.vm.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A VM of a demo Compute Engine: what was asked for, and the operations that made and unmake it.
 */
final class DemoInstance {
  final String zone;
  final String name;
  final DemoOperation making;

  /** When its maximum run duration is over; never without one. */
  final long endMicros;

  private final Map<String, Object> asked;
  private final int number;

  /** Its addresses come of it. */
  final int place;

  @Nullable DemoOperation unmaking;

  /** Whether it was switched off, as by a fault of its host. */
  boolean stopped;

  /** Whether scripts are carried out, and so addresses are this machine's. */
  boolean onLoopback;

  String serial = "SeaBIOS\nDebian GNU/Linux 12 ttyS0\n";

  DemoInstance(
      String zone,
      Map<String, Object> asked,
      DemoOperation making,
      long endMicros,
      int number,
      int place) {
    this.zone = zone;
    this.name = Json.text(asked.get("name"));
    this.asked = asked;
    this.making = making;
    this.endMicros = endMicros;
    this.number = number;
    this.place = place;
  }

  Map<String, Object> labels() {
    return Json.object(asked.get("labels"));
  }

  int vcpus() {
    return Inventory.vcpus(Json.text(asked.get("machineType")));
  }

  List<?> disks() {
    return Json.list(asked.get("disks"));
  }

  /** Names of disks are the VM's, with a number after the first. */
  static String diskName(String instance, int index) {
    return index == 0 ? instance : instance + "-" + index;
  }

  boolean isGone(long nowMicros) {
    DemoOperation end = unmaking;
    return (making.isFailed() && making.isDone(nowMicros))
        || (end != null && end.isDone(nowMicros) && !end.isFailed())
        || nowMicros >= endMicros;
  }

  Map<String, Object> asJson(long nowMicros, String base) {
    Map<String, Object> json = new LinkedHashMap<>(asked);
    String at = base + "/zones/" + zone;
    boolean made = making.isDone(nowMicros);
    DemoOperation end = unmaking;
    boolean stopping = end != null && !end.isDone(nowMicros);
    json.put("kind", "compute#instance");
    json.put("id", Integer.toString(1_000 + number));
    json.put("creationTimestamp", making.begin());
    json.put("zone", at);
    json.put("selfLink", at + "/instances/" + name);
    json.put(
        "status", stopping ? "STOPPING" : stopped ? "TERMINATED" : made ? "RUNNING" : "STAGING");
    List<Object> disks = new ArrayList<>();
    for (int i = 0; i < disks().size(); i++) {
      Map<String, Object> disk = new LinkedHashMap<>(Json.object(disks().get(i)));
      disk.remove("initializeParams");
      disk.put("index", i);
      if (!"SCRATCH".equals(disk.get("type"))) {
        disk.put("source", at + "/disks/" + diskName(name, i));
      }
      disk.putIfAbsent("deviceName", diskName(name, i));
      disks.add(disk);
    }
    json.put("disks", disks);
    Map<String, Object> network =
        new LinkedHashMap<>(Json.object(Json.list(asked.get("networkInterfaces")).get(0)));
    int last = place % 250 + 2;
    network.put("networkIP", (onLoopback ? "127.99.0." : "10.128.0.") + last);
    if (made) {
      network.computeIfPresent(
          "accessConfigs",
          (key, access) -> {
            Map<String, Object> first = new LinkedHashMap<>(Json.object(Json.list(access).get(0)));
            // Of 203.0.113.0/24 nothing on this machine answers.
            first.put("natIP", (onLoopback ? "127.99.0." : "203.0.113.") + last);
            return List.of(first);
          });
    }
    json.put("networkInterfaces", List.of(network));
    Map<String, Object> tags = new LinkedHashMap<>(Json.object(asked.get("tags")));
    tags.put("fingerprint", "42WmSpB8rSM=");
    json.put("tags", tags);
    return json;
  }
}

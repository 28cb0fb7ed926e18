package ebb.vm.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What a demo Compute Engine has: zones, machine types, images, and how much of them. */
final class Inventory {
  static final List<String> ZONES =
      List.of(
          "us-central1-a",
          "us-central1-b",
          "us-east4-a",
          "europe-west1-b",
          "europe-west1-c",
          "europe-west1-d",
          "europe-west2-a",
          "asia-east1-a",
          "asia-east1-b",
          "asia-northeast1-a");
  private static final Map<String, Integer> VCPUS =
      Map.of(
          "e2-small",
          2,
          "n2-standard-4",
          4,
          "n2-standard-16",
          16,
          "n2-standard-32",
          32,
          "n2-standard-64",
          64,
          "n2-standard-96",
          96);
  private static final List<String> IMAGES =
      List.of(
          "projects/debian-cloud/global/images/family/debian-12",
          "projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64");
  private static final List<String> DISK_TYPES =
      List.of("pd-standard", "pd-balanced", "pd-ssd", "local-ssd");
  static final int CPUS_PER_REGION = 192;

  private Inventory() {}

  /** What every resource has: a number, a name, and where it is found. */
  static Map<String, Object> resource(String link) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", Long.toString(1 + Integer.toUnsignedLong(link.hashCode())));
    json.put("name", lastOf(link));
    json.put("selfLink", link);
    return json;
  }

  /** A link as the service shows it, of one that a request may begin anywhere. */
  static String link(String base, String asked) {
    return asked.startsWith("http") ? asked : base + "/" + asked;
  }

  static String regionOf(String zone) {
    return zone.substring(0, zone.lastIndexOf('-'));
  }

  static void checkZone(String zone) throws ApiError {
    if (!ZONES.contains(zone)) {
      throw ApiError.invalid("zone", zone, "Unknown zone.");
    }
  }

  static int vcpus(String url) {
    return VCPUS.getOrDefault(lastOf(url), 0);
  }

  static int maxDisks(String url) {
    return lastOf(url).startsWith("e2-") ? 16 : 128;
  }

  static void checkMachineType(String url, String zone) throws ApiError {
    if (!url.endsWith("zones/" + zone + "/machineTypes/" + lastOf(url)) || vcpus(url) == 0) {
      throw ApiError.invalid(
          "resource.machineType", url, "The referenced machineType resource cannot be found.");
    }
  }

  static void checkImage(String url) throws ApiError {
    if (!IMAGES.contains(url.substring(Math.max(0, url.indexOf("projects/"))))) {
      throw ApiError.notFound(url);
    }
  }

  static Map<String, Object> image(String base, String project, String name) throws ApiError {
    String path = "projects/" + project + "/global/images/" + name;
    if (!IMAGES.contains(path)) {
      throw ApiError.notFound(path);
    }
    return image(base, path);
  }

  /** Those of a project. */
  static List<Map<String, Object>> images(String base, String project) {
    return IMAGES.stream()
        .filter(path -> path.startsWith("projects/" + project + "/"))
        .map(path -> image(base, path))
        .toList();
  }

  private static Map<String, Object> image(String base, String path) {
    Map<String, Object> json =
        resource(base.substring(0, base.indexOf("projects/", base.indexOf("/compute/"))) + path);
    json.put("status", "READY");
    json.put("family", lastOf(path));
    return json;
  }

  static Map<String, Object> diskType(String base, String zone, String name) throws ApiError {
    checkZone(zone);
    if (!DISK_TYPES.contains(name)) {
      throw ApiError.notFound("zones/" + zone + "/diskTypes/" + name);
    }
    Map<String, Object> json = resource(base + "/zones/" + zone + "/diskTypes/" + name);
    json.put("zone", base + "/zones/" + zone);
    json.put("validDiskSize", name.equals("local-ssd") ? "375GB-375GB" : "10GB-65536GB");
    return json;
  }

  static List<Map<String, Object>> diskTypes(String base, String zone) throws ApiError {
    List<Map<String, Object>> all = new ArrayList<>();
    for (String name : DISK_TYPES) {
      all.add(diskType(base, zone, name));
    }
    return all;
  }

  static void checkDiskType(String url, String zone) throws ApiError {
    if (!url.endsWith("zones/" + zone + "/diskTypes/" + lastOf(url))
        || !DISK_TYPES.contains(lastOf(url))) {
      throw ApiError.invalid(
          "resource.disks[].initializeParams.diskType",
          url,
          "The referenced diskType resource cannot be found.");
    }
  }

  static String lastOf(String url) {
    return url.substring(url.lastIndexOf('/') + 1);
  }

  static List<Map<String, Object>> zones(String base) {
    List<Map<String, Object>> zones = new ArrayList<>();
    for (String zone : ZONES) {
      zones.add(zoneOf(base, zone));
    }
    return zones;
  }

  static Map<String, Object> zone(String base, String zone) throws ApiError {
    checkZone(zone);
    return zoneOf(base, zone);
  }

  private static Map<String, Object> zoneOf(String base, String zone) {
    Map<String, Object> json = resource(base + "/zones/" + zone);
    json.put("status", "UP");
    json.put("region", base + "/regions/" + regionOf(zone));
    return json;
  }

  static List<String> regions() {
    return ZONES.stream().map(Inventory::regionOf).distinct().toList();
  }

  static List<Map<String, Object>> machineTypes(String base, String zone) throws ApiError {
    List<Map<String, Object>> all = new ArrayList<>();
    for (String name : new TreeSet<>(VCPUS.keySet())) {
      all.add(machineType(base, zone, name));
    }
    return all;
  }

  static Map<String, Object> machineType(String base, String zone, String name) throws ApiError {
    checkZone(zone);
    Integer vcpus = VCPUS.get(name);
    if (vcpus == null) {
      throw ApiError.notFound("zones/" + zone + "/machineTypes/" + name);
    }
    Map<String, Object> type = resource(base + "/zones/" + zone + "/machineTypes/" + name);
    type.put("zone", zone);
    type.put("guestCpus", vcpus);
    type.put("memoryMb", vcpus * 4_096);
    type.put("maximumPersistentDisks", maxDisks(name));
    return type;
  }

  static Map<String, Object> quota(String metric, double limit, double usage) {
    return Map.of("metric", metric, "limit", limit, "usage", usage);
  }
}

package ebb.vm.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request for several VMs of a zone asks for, and what is wrong with it: beyond the shape,
 * as Google's reference of {@code instances.bulkInsert} and errors that others were shown have it.
 *
 * @param least below which all that were made are taken back
 * @param bodies as if each VM had been asked for alone
 */
record BulkRequest(int least, List<Map<String, Object>> bodies) {
  /** Google's own tools ask for no more at a time. */
  private static final int MOST = 1_000;

  private static final Pattern NAME = Pattern.compile("[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern PATTERN = Pattern.compile("([^#]*)(#{1,18})([^#]*)");

  BulkRequest {
    bodies = List.copyOf(bodies);
  }

  /**
   * Reads one.
   *
   * @param there names that there are in the zone
   */
  static BulkRequest of(String zone, Map<String, Object> body, Iterable<String> there)
      throws ApiError {
    Inventory.checkZone(zone);
    long count = number("count", body, -1);
    long least = number("minCount", body, count);
    if (count < 1 || count > MOST) {
      throw ApiError.invalid("resource.count", Long.toString(count), "Must be 1 to " + MOST + ".");
    }
    if (least < 0 || least > count) {
      throw ApiError.invalid("resource.minCount", Long.toString(least), "Is more than count.");
    }
    Map<String, Object> properties = Json.object(body.get("instanceProperties"));
    if (properties.isEmpty()) {
      throw ApiError.invalid("resource.instanceProperties", "", "Must be given.");
    }
    for (Object disk : Json.list(properties.get("disks"))) {
      String type =
          Json.text(Json.object(Json.object(disk).get("initializeParams")).get("diskType"));
      if (type.contains("/")) {
        throw ApiError.invalid(
            "resource.instanceProperties.disks[].initializeParams.diskType",
            type,
            "Specify the type of the disk, not its URL.");
      }
    }
    List<Map<String, Object>> bodies = new ArrayList<>();
    for (String name : names(body, count, there)) {
      bodies.add(alone(zone, name, properties));
    }
    InstanceCheck.check(zone, bodies.get(0));
    return new BulkRequest((int) least, bodies);
  }

  /** "If you use the machine type full or partial URL ... will result in an INTERNAL_ERROR." */
  static boolean hasMachineTypePath(Map<String, Object> body) {
    return Json.text(Json.object(body.get("instanceProperties")).get("machineType")).contains("/");
  }

  private static long number(String field, Map<String, Object> body, long otherwise) {
    Object given = body.get(field);
    return given == null ? otherwise : Long.parseLong(Json.text(given));
  }

  private static List<String> names(Map<String, Object> body, long count, Iterable<String> there)
      throws ApiError {
    Map<String, Object> each = Json.object(body.get("perInstanceProperties"));
    String pattern = Json.text(body.get("namePattern"));
    if (each.isEmpty() == pattern.isEmpty()) {
      throw ApiError.invalid(
          "resource.namePattern", pattern, "Either it or perInstanceProperties must be set.");
    }
    if (pattern.isEmpty()) {
      for (String name : each.keySet()) {
        if (!NAME.matcher(name).matches()) {
          throw ApiError.invalid(
              "resource.perInstanceProperties.key",
              name,
              "Must be a match of regex '(?:" + NAME.pattern() + ")'");
        }
      }
      if (each.size() < count) {
        throw ApiError.invalid("resource.count", Long.toString(count), "There are fewer names.");
      }
      return each.keySet().stream().limit(count).toList();
    }
    Matcher match = PATTERN.matcher(pattern);
    if (!match.matches()) {
      throw ApiError.invalid("resource.namePattern", pattern, "Must have one row of '#'.");
    }
    long last = 0;
    Pattern taken =
        Pattern.compile(
            Pattern.quote(match.group(1))
                + "(\\d{"
                + match.group(2).length()
                + "})"
                + Pattern.quote(match.group(3)));
    for (String name : there) {
      Matcher one = taken.matcher(name);
      last = one.matches() ? Math.max(last, Long.parseLong(one.group(1))) : last;
    }
    List<String> names = new ArrayList<>();
    for (long i = last + 1; i <= last + count; i++) {
      String digits = "0".repeat(match.group(2).length()) + i;
      names.add(
          match.group(1)
              + digits.substring(digits.length() - match.group(2).length())
              + match.group(3));
    }
    return names;
  }

  /** Types are named here, where a request for one VM has their paths. */
  private static Map<String, Object> alone(
      String zone, String name, Map<String, Object> properties) {
    Map<String, Object> body = new LinkedHashMap<>(properties);
    body.put("name", name);
    body.put("machineType", "zones/" + zone + "/machineTypes/" + properties.get("machineType"));
    List<Object> disks = new ArrayList<>();
    for (Object one : Json.list(properties.get("disks"))) {
      Map<String, Object> disk = new LinkedHashMap<>(Json.object(one));
      Map<String, Object> params = new LinkedHashMap<>(Json.object(disk.get("initializeParams")));
      params.computeIfPresent("diskType", (key, type) -> "zones/" + zone + "/diskTypes/" + type);
      disk.put("initializeParams", params);
      disks.add(disk);
    }
    body.put("disks", disks);
    return body;
  }
}

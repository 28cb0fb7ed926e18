package ebb.vm.demo;

import ebb.core.time.SleepClock;
import ebb.vm.demo.Discovery.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The VMs of a demo Compute Engine and their disks: made one by one or together, and deleted. Not
 * thread-safe: {@link ComputeState} has the lock.
 */
final class DemoInstances {
  private static final String BULK = "bulkInsert";

  private final SleepClock clock;
  private final String project;
  private final String base;
  private final AtomicInteger numbers;
  private final OperationLog operations;
  private final Map<String, DemoInstance> instances = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> disks = new LinkedHashMap<>();

  /** Whether addresses of those made from now on are this machine's. */
  boolean onLoopback;

  DemoInstances(
      SleepClock clock,
      String project,
      String base,
      AtomicInteger numbers,
      OperationLog operations) {
    this.clock = clock;
    this.project = project;
    this.base = base;
    this.numbers = numbers;
    this.operations = operations;
  }

  int count() {
    return instances.size();
  }

  int diskCount() {
    return disks.size();
  }

  /** All, as the service shows them. */
  List<Map<String, Object>> shown() {
    return instances.values().stream().map(one -> one.asJson(now(), base)).toList();
  }

  void addDisk(String zone, String name, Map<String, Object> json) {
    disks.put(key(zone, name), json);
  }

  private long now() {
    return clock.nowMicros();
  }

  void sweep() {
    long now = now();
    List<DemoInstance> gone = instances.values().stream().filter(one -> one.isGone(now)).toList();
    for (DemoInstance instance : gone) {
      instances.remove(key(instance.zone, instance.name));
      for (int i = 0; i < instance.disks().size(); i++) {
        String disk = key(instance.zone, DemoInstance.diskName(instance.name, i));
        if (Boolean.TRUE.equals(Json.object(instance.disks().get(i)).get("autoDelete"))
            || instance.making.isFailed()) {
          disks.remove(disk);
        } else {
          disks.computeIfPresent(disk, (name, json) -> without(json, "users"));
        }
      }
    }
  }

  private static Map<String, Object> without(Map<String, Object> json, String name) {
    Map<String, Object> less = new LinkedHashMap<>(json);
    less.remove(name);
    return less;
  }

  private static String key(String zone, String name) {
    return zone + "/" + name;
  }

  DemoInstance instance(String zone, String name) throws ApiError {
    DemoInstance found = instances.get(key(zone, name));
    if (found == null) {
      throw ApiError.notFound("projects/" + project + "/zones/" + zone + "/instances/" + name);
    }
    return found;
  }

  Map<String, Object> disk(String zone, String name) throws ApiError {
    Map<String, Object> found = disks.get(key(zone, name));
    if (found == null) {
      throw ApiError.notFound("projects/" + project + "/zones/" + zone + "/disks/" + name);
    }
    return found;
  }

  Map<String, Object> insert(Request request, @Nullable Fault fault) throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(now(), base);
    }
    String zone = request.parameter("zone");
    Map<String, Object> body = request.body();
    String name = Json.text(body.get("name"));
    InstanceCheck.check(zone, body);
    if (instances.containsKey(key(zone, name))) {
      throw new ApiError(
          409,
          "alreadyExists",
          "The resource 'projects/"
              + project
              + "/zones/"
              + zone
              + "/instances/"
              + name
              + "' already exists");
    }
    DemoOperation making =
        operations.beginWith(
            request,
            "insert",
            "zones/" + zone + "/instances/" + name,
            fault instanceof Fault.OperationFails fails ? fails : overQuota(zone, body));
    make(zone, body, making);
    return making.begun(base);
  }

  private DemoInstance make(String zone, Map<String, Object> body, DemoOperation making) {
    Map<String, Object> scheduling = Json.object(body.get("scheduling"));
    Map<String, Object> maxRun = Json.object(scheduling.get("maxRunDuration"));
    long end =
        maxRun.isEmpty()
            ? Long.MAX_VALUE
            : making.endMicros + Long.parseLong(Json.text(maxRun.get("seconds"))) * 1_000_000;
    DemoInstance instance =
        new DemoInstance(zone, body, making, end, numbers.incrementAndGet(), freePlace());
    instance.onLoopback = onLoopback;
    instances.put(key(zone, instance.name), instance);
    addDisks(instance);
    return instance;
  }

  /** Makes VMs by one request, and takes them back when too few can be made. */
  Map<String, Object> insertSeveral(Request request, @Nullable Fault fault) throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(now(), base);
    }
    String zone = request.parameter("zone");
    String all = "zones/" + zone + "/instances";
    if (BulkRequest.hasMachineTypePath(request.body())) {
      Fault why = new Fault.OperationFails("INTERNAL_ERROR", "Internal error.", 500);
      return operations.begin(request, BULK, all, why).begun(base);
    }
    List<String> there =
        instances.values().stream().filter(one -> one.zone.equals(zone)).map(o -> o.name).toList();
    BulkRequest asked = BulkRequest.of(zone, request.body(), there);
    // "Upfront validation with capacity and quota": nothing begins that has no room.
    int each = Inventory.vcpus(Json.text(asked.bodies().get(0).get("machineType")));
    int room = (Inventory.CPUS_PER_REGION - vcpusIn(Inventory.regionOf(zone))) / each;
    if (room < asked.least()) {
      return operations.begin(request, BULK, all, noQuota(zone)).begun(base);
    }
    List<Fault.@Nullable OperationFails> failures = new ArrayList<>();
    for (Map<String, Object> body : asked.bodies()) {
      String name = Json.text(body.get("name"));
      boolean last = failures.size() == asked.bodies().size() - 1;
      failures.add(
          there.contains(name)
              ? new Fault.OperationFails(
                  "RESOURCE_ALREADY_EXISTS", "The resource '" + name + "' already exists", 409)
              : failures.size() >= room
                  ? noQuota(zone)
                  : last && fault instanceof Fault.OperationFails fails ? fails : null);
    }
    int wanted = failures.size();
    int made = (int) failures.stream().filter(Objects::isNull).count();
    boolean back = made < asked.least();
    DemoOperation whole =
        operations.begin(
            request,
            BULK,
            all,
            back
                ? new Fault.OperationFails(
                    "VM_MIN_COUNT_NOT_REACHED",
                    "Requested minimum count of " + asked.least() + " VMs could not be created.",
                    503)
                : null);
    whole.group = "group-" + numbers.incrementAndGet();
    whole.counts = new DemoOperation.Counts(wanted, made, wanted - made, back ? made : 0);
    for (int i = 0; i < wanted; i++) {
      Map<String, Object> body = asked.bodies().get(i);
      String link = all + "/" + body.get("name");
      Fault.OperationFails failure = failures.get(i);
      DemoOperation making = operations.part(whole, "insert", link, failure);
      if (!there.contains(Json.text(body.get("name")))) {
        DemoInstance instance = make(zone, body, making);
        if (back && failure == null) {
          instance.unmaking = operations.part(whole, "delete", link, null);
        }
      }
    }
    return whole.begun(base);
  }

  /** The smallest that no instance has. */
  private int freePlace() {
    Set<Integer> taken = new HashSet<>();
    instances.values().forEach(one -> taken.add(one.place));
    int place = 0;
    while (taken.contains(place)) {
      place++;
    }
    return place;
  }

  private Fault.@Nullable OperationFails overQuota(String zone, Map<String, Object> body) {
    int used = vcpusIn(Inventory.regionOf(zone));
    if (used + Inventory.vcpus(Json.text(body.get("machineType"))) <= Inventory.CPUS_PER_REGION) {
      return null;
    }
    return noQuota(zone);
  }

  private static Fault.OperationFails noQuota(String zone) {
    return new Fault.OperationFails(
        "QUOTA_EXCEEDED",
        "Quota 'CPUS' exceeded.  Limit: "
            + Inventory.CPUS_PER_REGION
            + ".0 in region "
            + Inventory.regionOf(zone)
            + ".",
        403);
  }

  int vcpusIn(String region) {
    return instances.values().stream()
        .filter(one -> region.isEmpty() || Inventory.regionOf(one.zone).equals(region))
        .mapToInt(DemoInstance::vcpus)
        .sum();
  }

  private void addDisks(DemoInstance instance) {
    String at = base + "/zones/" + instance.zone;
    for (int i = 0; i < instance.disks().size(); i++) {
      Map<String, Object> disk = Json.object(instance.disks().get(i));
      Map<String, Object> params = Json.object(disk.get("initializeParams"));
      if (!"SCRATCH".equals(disk.get("type"))) {
        String name = DemoInstance.diskName(instance.name, i);
        Map<String, Object> json = Inventory.resource(at + "/disks/" + name);
        json.put("zone", at);
        json.put("status", "READY");
        json.put("type", Inventory.link(base, Json.text(params.get("diskType"))));
        json.put("sizeGb", params.getOrDefault("diskSizeGb", "10"));
        json.put("labels", Json.object(params.get("labels")));
        json.put("users", List.of(at + "/instances/" + instance.name));
        disks.put(key(instance.zone, name), json);
      }
    }
  }

  Map<String, Object> deleteInstance(Request request, @Nullable Fault fault) throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(now(), base);
    }
    DemoInstance instance = instance(request.parameter("zone"), request.parameter("instance"));
    DemoOperation unmaking =
        operations.begin(
            request, "delete", "zones/" + instance.zone + "/instances/" + instance.name, fault);
    instance.unmaking = unmaking;
    return unmaking.begun(base);
  }

  Map<String, Object> deleteDisk(Request request, @Nullable Fault fault) throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(now(), base);
    }
    String zone = request.parameter("zone");
    String name = request.parameter("disk");
    if (disk(zone, name).containsKey("users")) {
      throw new ApiError(
          400,
          "resourceInUseByAnotherResource",
          "The disk resource '" + name + "' is already being used");
    }
    DemoOperation operation =
        operations.begin(request, "delete", "zones/" + zone + "/disks/" + name, fault);
    if (!operation.isFailed()) {
      disks.remove(key(zone, name));
    }
    return operation.begun(base);
  }

  List<Map<String, Object>> instancesOf(Request request, String zone) throws ApiError {
    List<Map<String, Object>> found = new ArrayList<>();
    for (DemoInstance instance : instances.values()) {
      if (zone.isEmpty() || instance.zone.equals(zone)) {
        found.add(instance.asJson(now(), base));
      }
    }
    return Listing.filtered(request.parameter("filter"), found);
  }

  List<Map<String, Object>> disksOf(Request request, String zone) throws ApiError {
    return Listing.filtered(
        request.parameter("filter"),
        disks.entrySet().stream()
            .filter(one -> zone.isEmpty() || one.getKey().startsWith(zone + "/"))
            .map(Map.Entry::getValue)
            .toList());
  }
}

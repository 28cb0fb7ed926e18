package ebb.vm.demo;

import ebb.core.time.SleepClock;
import ebb.vm.demo.Discovery.Request;
import ebb.vm.port.RunLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The state of a demo Compute Engine and what requests do to it. Behaviour beyond the discovery
 * document (who may come twice, what is too much) is what Google's documentation says, not what
 * Google's service was seen to do.
 */
final class ComputeState {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private final SleepClock clock;
  private final Instant begin;
  private final String project;
  private final String base;
  private final AtomicInteger numbers = new AtomicInteger();
  private final OperationLog operations;
  private final DemoFirewalls firewalls;
  private final Map<String, DemoInstance> instances = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> disks = new LinkedHashMap<>();
  volatile int pageSize = 500;
  volatile boolean onLoopback;
  volatile boolean automaticNetwork = true;
  volatile boolean googleAccess;
  volatile boolean nat;

  ComputeState(SleepClock clock, Instant begin, String project, String base) {
    this.clock = clock;
    this.begin = begin;
    this.project = project;
    this.base = base;
    operations = new OperationLog(clock, begin, base, numbers);
    firewalls = new DemoFirewalls(project, operations, () -> clock.nowMicros(), base);
  }

  void operationTime(Duration time) {
    operations.time = time;
  }

  /** Carries a request out; a wait blocks, outside of the lock. */
  Map<String, Object> answer(Request request, @Nullable Fault fault)
      throws ApiError, InterruptedException {
    if (!request.parameter("project").equals(project) && !request.method().startsWith("images.")) {
      throw new ApiError(
          403,
          "forbidden",
          "Required 'compute.instances.list' permission for 'projects/"
              + request.parameter("project")
              + "'");
    }
    if (request.method().endsWith("Operations.wait")) {
      DemoOperation operation = operations.named(request);
      long left = Math.max(0, operation.endMicros - clock.nowMicros());
      if (!(fault instanceof Fault.WaitReturnsEarly)) {
        clock.sleep(Duration.ofNanos(Math.min(left, LONGEST_WAIT.toNanos() / 1_000) * 1_000));
      }
    }
    synchronized (this) {
      sweep();
      return carryOut(request, fault);
    }
  }

  private Map<String, Object> carryOut(Request request, @Nullable Fault fault) throws ApiError {
    String zone = request.parameter("zone");
    return switch (request.method()) {
      case "instances.insert" -> insertInstance(request, fault);
      case "instances.get" -> instance(zone, request.parameter("instance")).asJson(now(), base);
      case "instances.list" -> Listing.page(pageSize, request, instancesOf(request, zone));
      case "instances.aggregatedList" ->
          Listing.scoped(pageSize, request, "instances", instancesOf(request, ""));
      case "instances.delete" -> deleteInstance(request, fault);
      case "instances.getSerialPortOutput" -> {
        String text = instance(zone, request.parameter("instance")).serial;
        yield Map.of("contents", text, "start", "0", "next", Integer.toString(text.length()));
      }
      case "disks.list" -> Listing.page(pageSize, request, disksOf(request, zone));
      case "disks.aggregatedList" ->
          Listing.scoped(pageSize, request, "disks", disksOf(request, ""));
      case "disks.get" -> disk(zone, request.parameter("disk"));
      case "disks.delete" -> deleteDisk(request, fault);
      case "firewalls.insert" -> firewalls.insert(request, fault);
      case "firewalls.get" -> firewalls.get(request.parameter("firewall"));
      case "firewalls.list" -> Listing.page(pageSize, request, firewalls.all());
      case "firewalls.delete" -> firewalls.delete(request, fault);
      case "zones.list" -> Listing.page(pageSize, request, Inventory.zones(base));
      case "zones.get" -> Inventory.zone(base, zone);
      case "regions.get" -> region(request.parameter("region"));
      case "regions.list" -> {
        List<Map<String, Object>> regions = new ArrayList<>();
        for (String region : Inventory.regions()) {
          regions.add(region(region));
        }
        yield Listing.page(pageSize, request, regions);
      }
      case "projects.get" ->
          Map.of(
              "name",
              project,
              "id",
              "1000",
              "quotas",
              List.of(
                  Inventory.quota("FIREWALLS", 200, firewalls.count()),
                  Inventory.quota("CPUS_ALL_REGIONS", 500, vcpusIn(""))));
      case "machineTypes.get" ->
          Inventory.machineType(base, zone, request.parameter("machineType"));
      case "machineTypes.list" ->
          Listing.page(pageSize, request, Inventory.machineTypes(base, zone));
      case "images.getFromFamily" ->
          Inventory.image(
              base, request.parameter("project"), "family/" + request.parameter("family"));
      case "images.get" ->
          Inventory.image(base, request.parameter("project"), request.parameter("image"));
      case "images.list" ->
          Listing.page(pageSize, request, Inventory.images(base, request.parameter("project")));
      case "diskTypes.get" -> Inventory.diskType(base, zone, request.parameter("diskType"));
      case "diskTypes.list" -> Listing.page(pageSize, request, Inventory.diskTypes(base, zone));
      case "networks.get" -> network(request.parameter("network"));
      case "networks.list" -> Listing.page(pageSize, request, List.of(network("default")));
      case "subnetworks.get" -> subnetwork(request.parameter("subnetwork"));
      case "routers.list" ->
          Listing.page(
              pageSize,
              request,
              nat
                  ? List.of(
                      Map.of(
                          "name",
                          "way-out",
                          "network",
                          base + "/global/networks/default",
                          "nats",
                          List.of(Map.of("name", "nat"))))
                  : List.of());
      case "resourcePolicies.get" -> {
        if (!request.parameter("resourcePolicy").equals("close")) {
          throw ApiError.notFound("resourcePolicies/" + request.parameter("resourcePolicy"));
        }
        yield Map.of("name", "close");
      }
      case "zoneOperations.get",
          "zoneOperations.wait",
          "globalOperations.get",
          "globalOperations.wait" ->
          operations.named(request).asJson(now(), base);
      default -> throw new ApiError(501, "notImplemented", "the demo has no " + request.method());
    };
  }

  private Map<String, Object> network(String name) throws ApiError {
    if (!name.equals("default")) {
      throw ApiError.notFound("projects/" + project + "/global/networks/" + name);
    }
    Map<String, Object> json = Inventory.resource(base + "/global/networks/" + name);
    json.put("autoCreateSubnetworks", automaticNetwork);
    return json;
  }

  private Map<String, Object> subnetwork(String name) throws ApiError {
    if (!name.equals("default")) {
      throw ApiError.notFound("projects/" + project + "/subnetworks/" + name);
    }
    return Map.of("name", name, "privateIpGoogleAccess", googleAccess);
  }

  private long now() {
    return clock.nowMicros();
  }

  private void sweep() {
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
    firewalls.sweep();
  }

  private static Map<String, Object> without(Map<String, Object> json, String name) {
    Map<String, Object> less = new LinkedHashMap<>(json);
    less.remove(name);
    return less;
  }

  private static String key(String zone, String name) {
    return zone + "/" + name;
  }

  private DemoInstance instance(String zone, String name) throws ApiError {
    DemoInstance found = instances.get(key(zone, name));
    if (found == null) {
      throw ApiError.notFound("projects/" + project + "/zones/" + zone + "/instances/" + name);
    }
    return found;
  }

  private Map<String, Object> disk(String zone, String name) throws ApiError {
    Map<String, Object> found = disks.get(key(zone, name));
    if (found == null) {
      throw ApiError.notFound("projects/" + project + "/zones/" + zone + "/disks/" + name);
    }
    return found;
  }

  private Map<String, Object> insertInstance(Request request, @Nullable Fault fault)
      throws ApiError {
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
    Map<String, Object> scheduling = Json.object(body.get("scheduling"));
    Map<String, Object> maxRun = Json.object(scheduling.get("maxRunDuration"));
    long end =
        maxRun.isEmpty()
            ? Long.MAX_VALUE
            : making.endMicros + Long.parseLong(Json.text(maxRun.get("seconds"))) * 1_000_000;
    DemoInstance instance =
        new DemoInstance(zone, body, making, end, numbers.incrementAndGet(), freePlace());
    instance.onLoopback = onLoopback;
    instances.put(key(zone, name), instance);
    addDisks(instance);
    return making.asJson(now(), base);
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
    return new Fault.OperationFails(
        "QUOTA_EXCEEDED",
        "Quota 'CPUS' exceeded.  Limit: "
            + Inventory.CPUS_PER_REGION
            + ".0 in region "
            + Inventory.regionOf(zone)
            + ".",
        403);
  }

  private int vcpusIn(String region) {
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

  private Map<String, Object> deleteInstance(Request request, @Nullable Fault fault)
      throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(now(), base);
    }
    DemoInstance instance = instance(request.parameter("zone"), request.parameter("instance"));
    DemoOperation unmaking =
        operations.begin(
            request, "delete", "zones/" + instance.zone + "/instances/" + instance.name, fault);
    instance.unmaking = unmaking;
    return unmaking.asJson(now(), base);
  }

  private Map<String, Object> deleteDisk(Request request, @Nullable Fault fault) throws ApiError {
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
    return operation.asJson(now(), base);
  }

  private Map<String, Object> region(String region) throws ApiError {
    if (!Inventory.regions().contains(region)) {
      throw ApiError.invalid("region", region, "Unknown region.");
    }
    Map<String, Object> json = Inventory.resource(base + "/regions/" + region);
    json.put("status", "UP");
    json.put(
        "zones",
        Inventory.ZONES.stream()
            .filter(zone -> Inventory.regionOf(zone).equals(region))
            .map(zone -> base + "/zones/" + zone)
            .toList());
    json.put(
        "quotas",
        List.of(
            Inventory.quota("CPUS", Inventory.CPUS_PER_REGION, vcpusIn(region)),
            Inventory.quota("N2_CPUS", Inventory.CPUS_PER_REGION, vcpusIn(region)),
            Inventory.quota("INSTANCES", 100, instances.size()),
            Inventory.quota("IN_USE_ADDRESSES", 30, instances.size()),
            Inventory.quota("SSD_TOTAL_GB", 4_000, 0),
            Inventory.quota("LOCAL_SSD_TOTAL_GB", 9_000, 0)));
    return json;
  }

  private List<Map<String, Object>> instancesOf(Request request, String zone) throws ApiError {
    List<Map<String, Object>> found = new ArrayList<>();
    for (DemoInstance instance : instances.values()) {
      if (zone.isEmpty() || instance.zone.equals(zone)) {
        found.add(instance.asJson(now(), base));
      }
    }
    return Listing.filtered(request.parameter("filter"), found);
  }

  private List<Map<String, Object>> disksOf(Request request, String zone) throws ApiError {
    return Listing.filtered(
        request.parameter("filter"),
        disks.entrySet().stream()
            .filter(one -> zone.isEmpty() || one.getKey().startsWith(zone + "/"))
            .map(Map.Entry::getValue)
            .toList());
  }

  /** What a run of somebody's left that was to be over three hours ago. */
  synchronized Map<String, String> leaveSomething() throws ApiError {
    String run = "nightly-7c21";
    long expires = begin.plusNanos(now() * 1_000).getEpochSecond() - 3 * 3_600;
    RunLabels owner = new RunLabels("somebody", run, Instant.ofEpochSecond(expires));
    Map<String, String> labels = owner.asMap();
    String zone = "us-central1-a";
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("sourceImage", "projects/debian-cloud/global/images/family/debian-12");
    params.put("diskType", "zones/" + zone + "/diskTypes/pd-ssd");
    params.put("diskSizeGb", "500");
    params.put("labels", labels);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", run + "-a");
    body.put("machineType", "zones/" + zone + "/machineTypes/n2-standard-16");
    body.put("labels", labels);
    body.put(
        "disks", List.of(Map.of("boot", true, "autoDelete", true, "initializeParams", params)));
    body.put("networkInterfaces", List.of(Map.of("network", "global/networks/default")));
    insertInstance(request("instances.insert", Map.of("zone", zone), body), null);
    Map<String, Object> disk =
        Inventory.resource(base + "/zones/" + zone + "/disks/" + run + "-data");
    disk.put("zone", base + "/zones/" + zone);
    disk.put("type", base + "/zones/" + zone + "/diskTypes/pd-ssd");
    disk.put("sizeGb", "1000");
    disk.put("labels", labels);
    disks.put(key(zone, run + "-data"), disk);
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("name", run + "-net");
    rule.put("network", "global/networks/default");
    rule.put("description", owner.asLine());
    rule.put("allowed", List.of(Map.of("IPProtocol", "tcp", "ports", List.of("6817"))));
    rule.put("sourceRanges", List.of("10.0.0.0/8"));
    firewalls.insert(request("firewalls.insert", Map.of(), rule), null);
    return labels;
  }

  private static Request request(
      String method, Map<String, String> parameters, Map<String, Object> body) {
    return new Request(method, parameters, body, "Operation");
  }

  synchronized int instanceCount() {
    sweep();
    return instances.size();
  }

  synchronized List<Map<String, Object>> instances() {
    sweep();
    return instances.values().stream().map(one -> one.asJson(now(), base)).toList();
  }

  synchronized void stop(String zone, String name) throws ApiError {
    instance(zone, name).stopped = true;
  }

  synchronized int diskCount() {
    sweep();
    return disks.size();
  }

  synchronized int firewallCount() {
    sweep();
    return firewalls.count();
  }

  synchronized int operationCount() {
    return operations.count();
  }

  synchronized Map<String, Object> asked(String zone, String name) throws ApiError {
    sweep();
    return instance(zone, name).asJson(now(), base);
  }

  synchronized void serial(String zone, String name, String text) throws ApiError {
    instance(zone, name).serial = text;
    notifyAll();
  }

  /** Waits until a VM's console has said something; false when it has not by then. */
  synchronized boolean awaitSerial(String zone, String name, String words, long endNanos)
      throws ApiError, InterruptedException {
    while (!instance(zone, name).serial.contains(words)) {
      long millis = (endNanos - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }
}

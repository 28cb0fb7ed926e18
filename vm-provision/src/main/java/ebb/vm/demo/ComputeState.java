package ebb.vm.demo;

import ebb.core.time.SleepClock;
import ebb.vm.demo.Discovery.Request;
import ebb.vm.port.RunLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final DemoInstances machines;
  volatile int pageSize = 500;
  volatile boolean automaticNetwork = true;
  volatile boolean googleAccess;
  volatile boolean nat;

  ComputeState(SleepClock clock, Instant begin, String project, String base) {
    this.clock = clock;
    this.begin = begin;
    this.project = project;
    this.base = base;
    operations = new OperationLog(clock, begin, base, numbers);
    machines = new DemoInstances(clock, project, base, numbers, operations);
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
      case "instances.insert" -> machines.insert(request, fault);
      case "instances.bulkInsert" -> machines.insertSeveral(request, fault);
      case "instances.get" ->
          machines.instance(zone, request.parameter("instance")).asJson(now(), base);
      case "instances.list" -> Listing.page(pageSize, request, machines.instancesOf(request, zone));
      case "instances.aggregatedList" ->
          Listing.scoped(pageSize, request, "instances", machines.instancesOf(request, ""));
      case "instances.delete" -> machines.deleteInstance(request, fault);
      case "instances.getSerialPortOutput" -> {
        String text = machines.instance(zone, request.parameter("instance")).serial;
        yield Map.of("contents", text, "start", "0", "next", Integer.toString(text.length()));
      }
      case "disks.list" -> Listing.page(pageSize, request, machines.disksOf(request, zone));
      case "disks.aggregatedList" ->
          Listing.scoped(pageSize, request, "disks", machines.disksOf(request, ""));
      case "disks.get" -> machines.disk(zone, request.parameter("disk"));
      case "disks.delete" -> machines.deleteDisk(request, fault);
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
                  Inventory.quota("CPUS_ALL_REGIONS", 500, machines.vcpusIn(""))));
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
      case "zoneOperations.list" -> Listing.page(pageSize, request, operations.listed(request));
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
    machines.sweep();
    firewalls.sweep();
  }

  synchronized void onLoopback() {
    machines.onLoopback = true;
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
            Inventory.quota("CPUS", Inventory.CPUS_PER_REGION, machines.vcpusIn(region)),
            Inventory.quota("N2_CPUS", Inventory.CPUS_PER_REGION, machines.vcpusIn(region)),
            Inventory.quota("INSTANCES", 100, machines.count()),
            Inventory.quota("IN_USE_ADDRESSES", 30, machines.count()),
            Inventory.quota("SSD_TOTAL_GB", 4_000, 0),
            Inventory.quota("LOCAL_SSD_TOTAL_GB", 9_000, 0)));
    return json;
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
    machines.insert(request("instances.insert", Map.of("zone", zone), body), null);
    Map<String, Object> disk =
        Inventory.resource(base + "/zones/" + zone + "/disks/" + run + "-data");
    disk.put("zone", base + "/zones/" + zone);
    disk.put("type", base + "/zones/" + zone + "/diskTypes/pd-ssd");
    disk.put("sizeGb", "1000");
    disk.put("labels", labels);
    machines.addDisk(zone, run + "-data", disk);
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
    return machines.count();
  }

  synchronized List<Map<String, Object>> instances() {
    sweep();
    return machines.shown();
  }

  synchronized void stop(String zone, String name) throws ApiError {
    machines.instance(zone, name).stopped = true;
  }

  synchronized int diskCount() {
    sweep();
    return machines.diskCount();
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
    return machines.instance(zone, name).asJson(now(), base);
  }

  synchronized void serial(String zone, String name, String text) throws ApiError {
    machines.instance(zone, name).serial = text;
    notifyAll();
  }

  /** Waits until a VM's console has said something; false when it has not by then. */
  synchronized boolean awaitSerial(String zone, String name, String words, long endNanos)
      throws ApiError, InterruptedException {
    while (!machines.instance(zone, name).serial.contains(words)) {
      long millis = (endNanos - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }
}

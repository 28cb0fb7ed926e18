package ebb.vm.demo;

import ebb.vm.demo.Discovery.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The firewall rules of a demo Compute Engine; they let everybody in. Its user holds a lock. */
final class DemoFirewalls {
  private final String project;
  private final OperationLog operations;
  private final LongSupplier nowMicros;
  private final String base;
  private final Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
  private final Map<String, DemoOperation> ends = new LinkedHashMap<>();

  DemoFirewalls(String project, OperationLog operations, LongSupplier nowMicros, String base) {
    this.project = project;
    this.operations = operations;
    this.nowMicros = nowMicros;
    this.base = base;
  }

  List<Map<String, Object>> all() {
    return List.copyOf(byName.values());
  }

  int count() {
    return byName.size();
  }

  /** Forgets those whose deletion has come to its end. */
  void sweep() {
    long now = nowMicros.getAsLong();
    ends.forEach(
        (name, end) -> {
          if (end.isDone(now) && !end.isFailed()) {
            byName.remove(name);
          }
        });
    ends.values().removeIf(end -> end.isDone(now));
  }

  Map<String, Object> get(String name) throws ApiError {
    Map<String, Object> found = byName.get(name);
    if (found == null) {
      throw ApiError.notFound("projects/" + project + "/global/firewalls/" + name);
    }
    return found;
  }

  Map<String, Object> insert(Request request, @Nullable Fault fault) throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(nowMicros.getAsLong(), base);
    }
    Map<String, Object> body = request.body();
    String name = Json.text(body.get("name"));
    if (byName.containsKey(name)) {
      throw new ApiError(
          409,
          "alreadyExists",
          "The resource 'projects/" + project + "/global/firewalls/" + name + "' already exists");
    }
    if (Json.list(body.get("allowed")).isEmpty()) {
      throw ApiError.invalid("resource", "", "Either allowed or denied has to be given.");
    }
    DemoOperation operation =
        operations.begin(request, "insert", "global/firewalls/" + name, fault);
    if (!operation.isFailed()) {
      Map<String, Object> json = Inventory.resource(base + "/global/firewalls/" + name);
      json.put("direction", "INGRESS");
      json.put("priority", 1_000);
      json.putAll(body);
      json.put(
          "network",
          Inventory.link(base, Json.text(body.getOrDefault("network", "global/networks/default"))));
      byName.put(name, json);
    }
    return operation.begun(base);
  }

  Map<String, Object> delete(Request request, @Nullable Fault fault) throws ApiError {
    DemoOperation before = operations.before(request);
    if (before != null) {
      return before.asJson(nowMicros.getAsLong(), base);
    }
    String name = request.parameter("firewall");
    get(name);
    DemoOperation operation =
        operations.begin(request, "delete", "global/firewalls/" + name, fault);
    ends.put(name, operation);
    return operation.begun(base);
  }
}

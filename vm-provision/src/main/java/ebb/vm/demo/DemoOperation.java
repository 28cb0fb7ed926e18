package ebb.vm.demo;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An operation: what it will have come to is settled when it begins, as is when it ends. */
final class DemoOperation {
  /** What becomes of VMs that are made together. */
  record Counts(int wanted, int made, int failed, int deleted) {}

  final String name;
  final String fingerprint;
  final long endMicros;
  private final long beginMicros;
  private final Instant begin;
  private final long id;
  private final String type;
  private final String target;
  private final @Nullable String zone;
  private final Fault.@Nullable OperationFails failure;

  /** What operations that come of one request have in common; null for one alone. */
  @Nullable String group;

  /** Of one that makes several VMs. */
  @Nullable Counts counts;

  /** Of the request that began it. */
  String requestId = "";

  DemoOperation(
      long id,
      String type,
      String target,
      @Nullable String zone,
      String fingerprint,
      Instant begin,
      long beginMicros,
      long endMicros,
      Fault.@Nullable OperationFails failure) {
    this.id = id;
    name = "operation-" + id;
    this.type = type;
    this.target = target;
    this.zone = zone;
    this.fingerprint = fingerprint;
    this.begin = begin;
    this.beginMicros = beginMicros;
    this.endMicros = endMicros;
    this.failure = failure;
  }

  boolean isDone(long nowMicros) {
    return nowMicros >= endMicros;
  }

  boolean isFailed() {
    return failure != null;
  }

  /** When it began. */
  String begin() {
    return begin.toString();
  }

  /** The zone, or "" for an operation of the project. */
  String zone() {
    return zone == null ? "" : zone;
  }

  /** As the request that begins it is answered: it has never ended by then. */
  Map<String, Object> begun(String base) {
    return asJson(beginMicros, base);
  }

  Map<String, Object> asJson(long nowMicros, String base) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", "compute#operation");
    json.put("id", Long.toString(id));
    json.put("name", name);
    json.put("operationType", type);
    json.put("targetLink", target);
    if (!requestId.isEmpty()) {
      json.put("clientOperationId", requestId);
    }
    if (group != null) {
      json.put("operationGroupId", group);
    }
    json.put("insertTime", begin.toString());
    boolean done = isDone(nowMicros);
    json.put("status", done ? "DONE" : nowMicros == beginMicros ? "PENDING" : "RUNNING");
    json.put(
        "progress",
        done ? 100 : (int) (100 * (nowMicros - beginMicros) / (endMicros - beginMicros)));
    String at = zone == null ? base + "/global" : base + "/zones/" + zone;
    if (zone != null) {
      json.put("zone", at);
    }
    json.put("selfLink", at + "/operations/" + name);
    if (done && failure != null) {
      json.put("httpErrorStatusCode", failure.httpStatus());
      json.put("httpErrorMessage", "FAILED");
      json.put(
          "error",
          Map.of("errors", List.of(Map.of("code", failure.code(), "message", failure.message()))));
    }
    Counts several = counts;
    if (several != null) {
      json.put(
          "instancesBulkInsertOperationMetadata",
          Map.of("perLocationStatus", Map.of("zones/" + zone, status(several, done))));
    }
    if (done) {
      json.put("endTime", begin.plusNanos((endMicros - beginMicros) * 1_000).toString());
    }
    return json;
  }

  private static Map<String, Object> status(Counts counts, boolean done) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("status", done ? "DONE" : counts.deleted > 0 ? "ROLLING_BACK" : "CREATING");
    json.put("targetVmCount", counts.wanted);
    json.put("createdVmCount", done ? counts.made : 0);
    json.put("failedToCreateVmCount", done ? counts.failed : 0);
    json.put("deletedVmCount", done ? counts.deleted : 0);
    return json;
  }
}

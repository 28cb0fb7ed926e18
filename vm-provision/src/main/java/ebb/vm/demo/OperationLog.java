package ebb.vm.demo;

import ebb.core.time.SleepClock;
import ebb.vm.demo.Discovery.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All operations of a demo Compute Engine, by name and by the request id that began them: the same
 * request twice begins one. Thread-safe.
 */
final class OperationLog {
  private static final Pattern FILTER =
      Pattern.compile("(operationGroupId|clientOperationId|operationType)=([A-Za-z0-9-]+)");

  private final SleepClock clock;
  private final Instant begin;
  private final String base;
  private final AtomicInteger numbers;
  private final Map<String, DemoOperation> byName = new LinkedHashMap<>();
  private final Map<String, DemoOperation> byRequestId = new LinkedHashMap<>();

  /** What each takes from now on. */
  volatile Duration time = Duration.ofSeconds(5);

  /**
   * A log without operations.
   *
   * @param begin when {@code clock} was at zero
   * @param base of links
   * @param numbers whose next one is the next operation's
   */
  OperationLog(SleepClock clock, Instant begin, String base, AtomicInteger numbers) {
    this.clock = clock;
    this.begin = begin;
    this.base = base;
    this.numbers = numbers;
  }

  synchronized int count() {
    return byName.size();
  }

  synchronized DemoOperation named(Request request) throws ApiError {
    DemoOperation found = byName.get(request.parameter("operation"));
    if (found == null || !found.zone().equals(request.parameter("zone"))) {
      throw ApiError.notFound("operations/" + request.parameter("operation"));
    }
    return found;
  }

  /** The operation that this request id has begun, if it has; another request's is an error. */
  synchronized @Nullable DemoOperation before(Request request) throws ApiError {
    String id = request.parameter("requestId");
    if (id.isEmpty()) {
      return null;
    }
    try {
      if (UUID.fromString(id).equals(new UUID(0, 0))) {
        throw ApiError.invalid("requestId", id, "The zero UUID is not supported.");
      }
    } catch (IllegalArgumentException e) {
      throw ApiError.invalid("requestId", id, "Must be a valid UUID.");
    }
    DemoOperation before = byRequestId.get(id);
    if (before != null && !before.fingerprint.equals(fingerprint(request))) {
      throw ApiError.invalid("requestId", id, "It was used for another request.");
    }
    return before;
  }

  private static String fingerprint(Request request) {
    return request.method() + request.parameters() + Json.write(request.body());
  }

  DemoOperation begin(Request request, String type, String target, @Nullable Fault fault) {
    return beginWith(
        request, type, target, fault instanceof Fault.OperationFails fails ? fails : null);
  }

  synchronized DemoOperation beginWith(
      Request request, String type, String target, Fault.@Nullable OperationFails failure) {
    long now = clock.nowMicros();
    String zone = request.parameter("zone");
    DemoOperation operation =
        new DemoOperation(
            numbers.incrementAndGet(),
            type,
            base + "/" + target,
            zone.isEmpty() ? null : zone,
            fingerprint(request),
            begin.plusNanos(now * 1_000),
            now,
            now + Math.max(1, time.toNanos() / 1_000),
            failure);
    byName.put(operation.name, operation);
    if (!request.parameter("requestId").isEmpty()) {
      operation.requestId = request.parameter("requestId");
      byRequestId.put(request.parameter("requestId"), operation);
    }
    return operation;
  }

  /** One of the operations that another comes to, and ends with. */
  synchronized DemoOperation part(
      DemoOperation whole, String type, String target, Fault.@Nullable OperationFails failure) {
    long now = clock.nowMicros();
    DemoOperation part =
        new DemoOperation(
            numbers.incrementAndGet(),
            type,
            base + "/" + target,
            whole.zone(),
            whole.fingerprint,
            begin.plusNanos(now * 1_000),
            now,
            whole.endMicros,
            failure);
    part.group = whole.group;
    byName.put(part.name, part);
    return part;
  }

  /** Those of a zone that have what the filter names, of all that one may want to filter by. */
  synchronized List<Map<String, Object>> listed(Request request) throws ApiError {
    String filter = request.parameter("filter");
    Matcher match = FILTER.matcher(filter);
    if (!filter.isEmpty() && !match.matches()) {
      throw ApiError.invalid("filter", filter, "Invalid list filter expression.");
    }
    return byName.values().stream()
        .filter(one -> one.zone().equals(request.parameter("zone")))
        .map(one -> one.asJson(clock.nowMicros(), base))
        .filter(one -> filter.isEmpty() || match.group(2).equals(one.get(match.group(1))))
        .toList();
  }
}

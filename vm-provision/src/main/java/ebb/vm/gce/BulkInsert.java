package ebb.vm.gce;

import com.google.api.services.compute.Compute;
import com.google.api.services.compute.model.BulkInsertOperationStatus;
import com.google.api.services.compute.model.Instance;
import com.google.api.services.compute.model.InstanceList;
import com.google.api.services.compute.model.Operation;
import com.google.api.services.compute.model.OperationList;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmSpec;
import ebb.vm.provider.ProviderCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * VMs of one zone that differ by their names only, made by one request: all, or the service takes
 * back those that it has made. It owns that request and what became of each VM; who makes one alone
 * uses {@code instances.insert}.
 */
final class BulkInsert {
  private final Compute compute;
  private final Exchange exchange;
  private final String project;

  BulkInsert(Compute compute, Exchange exchange, String project) {
    this.compute = compute;
    this.exchange = exchange;
    this.project = project;
  }

  /**
   * Makes them, and returns what the service shows of each, in their order.
   *
   * @throws RequestFailedException with the cause that the service has for the first VM that could
   *     not be made, and how many had been
   */
  List<Instance> make(List<VmSpec> specs, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    String zone = specs.get(0).ref().zone();
    String what =
        specs.size()
            + " VMs in "
            + zone
            + ", "
            + specs.get(0).ref().name()
            + " to "
            + specs.get(specs.size() - 1).ref().name();
    var body = ComputeRequests.together(specs, requestId);
    RequestFailedException failure;
    try {
      Operation done =
          exchange.done(
              call,
              what,
              () ->
                  compute
                      .instances()
                      .bulkInsert(project, zone, body)
                      .setRequestId(requestId.toString()),
              zone);
      failure = failure(done, what, zone, call);
    } catch (RequestFailedException e) {
      failure = e;
    }
    if (failure != null && failure.kind() != FailureKind.ALREADY_EXISTS) {
      throw failure;
    }
    Map<String, Instance> there = new LinkedHashMap<>();
    exchange.pages(
        call,
        what,
        page ->
            compute
                .instances()
                .list(project, zone)
                .setFilter("labels." + ComputeRequests.REQUEST + "=" + requestId)
                .setPageToken(page),
        InstanceList::getNextPageToken,
        page ->
            ComputeViews.orEmpty(page.getItems()).forEach(one -> there.put(one.getName(), one)));
    List<Instance> made = new ArrayList<>();
    for (VmSpec spec : specs) {
      Instance one = there.get(spec.ref().name());
      if (one == null
          || !RunLabels.of(ComputeViews.orEmpty(one.getLabels()))
              .filter(spec.labels()::equals)
              .isPresent()) {
        // Another's, or what an earlier attempt made has gone since.
        throw failure != null
            ? failure
            : new RequestFailedException(
                FailureKind.OPERATION_FAILED, what + ": VM " + spec.ref() + " is not there");
      }
      made.add(one);
    }
    return made;
  }

  /** Waits for the end of a request that somebody has sent and has not waited for; if there is. */
  void settle(String zone, RequestId requestId, ProviderCall call) throws RequestFailedException {
    String what = "VMs in " + zone + " that were asked for";
    for (Operation one : operations("clientOperationId=" + requestId, what, zone, call)) {
      exchange.end(call, what, one, zone);
    }
  }

  private List<Operation> operations(String filter, String what, String zone, ProviderCall call)
      throws RequestFailedException {
    List<Operation> found = new ArrayList<>();
    exchange.pages(
        call,
        what,
        page -> compute.zoneOperations().list(project, zone).setFilter(filter).setPageToken(page),
        OperationList::getNextPageToken,
        page -> found.addAll(ComputeViews.orEmpty(page.getItems())));
    return found;
  }

  /** Null when all were made. */
  private @Nullable RequestFailedException failure(
      Operation done, String what, String zone, ProviderCall call) throws RequestFailedException {
    RequestFailedException summary = exchange.errors().ofOperation(done, what);
    String group = done.getOperationGroupId();
    if (summary == null || group == null) {
      return summary;
    }
    List<Operation> failed =
        operations("operationGroupId=" + group, what, zone, call).stream()
            .filter(one -> "insert".equals(one.getOperationType()) && one.getError() != null)
            .toList();
    String counts = counts(done);
    if (failed.isEmpty()) {
      return new RequestFailedException(summary.kind(), summary.line() + counts, summary);
    }
    // The operation as a whole says only that there are too few of them.
    String vm = String.valueOf(failed.get(0).getTargetLink());
    String name = vm.substring(vm.lastIndexOf('/') + 1);
    RequestFailedException cause =
        exchange.errors().ofOperation(failed.get(0), what + ": VM " + name);
    return cause == null
        ? summary
        : new RequestFailedException(cause.kind(), cause.line() + counts, summary);
  }

  private static String counts(Operation done) {
    var metadata = done.getInstancesBulkInsertOperationMetadata();
    if (metadata == null) {
      return "";
    }
    int made = 0;
    int removed = 0;
    for (BulkInsertOperationStatus one :
        ComputeViews.orEmpty(metadata.getPerLocationStatus()).values()) {
      made += one.getCreatedVmCount() == null ? 0 : one.getCreatedVmCount();
      removed += one.getDeletedVmCount() == null ? 0 : one.getDeletedVmCount();
    }
    return "; " + made + " had been made, of which the service has deleted " + removed;
  }
}

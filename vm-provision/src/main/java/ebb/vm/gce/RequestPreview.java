package ebb.vm.gce;

import com.google.api.client.googleapis.services.AbstractGoogleClientRequest;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.compute.Compute;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.RequestId;
import ebb.vm.port.VmSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests that would be sent, as JSON. The service has no dry run of its own; these are made
 * by what makes the real ones, and nothing is sent.
 */
public final class RequestPreview {
  private static final GsonFactory JSON = GsonFactory.getDefaultInstance();

  private static final String IAM = "https://iam.googleapis.com/v1/";

  private final Compute compute;
  private final String project;
  private final List<Map<String, Object>> requests = new ArrayList<>();

  public RequestPreview(String project, @Nullable String endpoint) {
    this.project = project;
    Compute.Builder builder =
        new Compute.Builder(new NetHttpTransport(), JSON, request -> {}).setApplicationName("ebb");
    if (endpoint != null) {
      builder.setRootUrl(endpoint.endsWith("/") ? endpoint : endpoint + "/");
    }
    compute = builder.build();
  }

  public void add(VmSpec spec, RequestId requestId) {
    var body = ComputeRequests.instance(spec, requestId);
    try {
      add(
          compute
              .instances()
              .insert(project, spec.ref().zone(), body)
              .setRequestId(requestId.toString()),
          body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** VMs that are made by one request. */
  public void add(List<VmSpec> specs, RequestId requestId) {
    var body = ComputeRequests.together(specs, requestId);
    try {
      add(
          compute
              .instances()
              .bulkInsert(project, specs.get(0).ref().zone(), body)
              .setRequestId(requestId.toString()),
          body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void add(FirewallSpec spec, RequestId requestId) {
    var body = ComputeRequests.firewall(spec, requestId);
    try {
      add(compute.firewalls().insert(project, body).setRequestId(requestId.toString()), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The deletion of a VM, and of its disks with it. */
  public void delete(VmSpec spec, RequestId requestId) {
    try {
      add(
          compute
              .instances()
              .delete(project, spec.ref().zone(), spec.ref().name())
              .setRequestId(requestId.toString()),
          null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The deletion of a rule. */
  public void delete(FirewallSpec spec, RequestId requestId) {
    try {
      add(
          compute.firewalls().delete(project, spec.name()).setRequestId(requestId.toString()),
          null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A service account for a run's VMs. */
  public void add(AccountSpec spec) {
    add("POST", IAM + "projects/" + project + "/serviceAccounts", ServiceAccounts.body(spec));
  }

  /** The deletion of one. */
  public void delete(AccountSpec spec) {
    add("DELETE", IAM + "projects/-/serviceAccounts/" + spec.email(), null);
  }

  private void add(String method, String url, @Nullable Object body) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("method", method);
    one.put("url", url);
    if (body != null) {
      one.put("body", body);
    }
    requests.add(one);
  }

  private void add(AbstractGoogleClientRequest<?> request, @Nullable GenericJson body) {
    add(request.getRequestMethod(), request.buildHttpRequestUrl().build(), body);
  }

  /** All of them, in the order in which they were added, as a JSON array. */
  public String toJson() {
    try {
      return JSON.toPrettyString(requests);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package ebb.vm.gce;

import com.google.api.services.compute.Compute;
import com.google.api.services.compute.model.DiskAggregatedList;
import com.google.api.services.compute.model.FirewallList;
import com.google.api.services.compute.model.Instance;
import com.google.api.services.compute.model.InstanceAggregatedList;
import com.google.api.services.compute.model.ZoneList;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.Disk;
import ebb.vm.port.Firewall;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.MachineType;
import ebb.vm.port.Objection;
import ebb.vm.port.Quota;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Google Compute Engine. It owns what a request of the port comes to in requests of the service;
 * attempts and operations are {@link Exchange}'s.
 */
public final class ComputeEngineProvider implements Provider {
  private static final Duration FIRST_LOOK = Duration.ofSeconds(1);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

  private final ComputeOptions options;
  private final String project;
  private final Connection connection;
  private final Compute compute;
  private final Exchange exchange;
  private final ServiceAccounts accounts;

  private interface Mutation {
    void run() throws RequestFailedException;
  }

  /**
   * A client.
   *
   * @throws RequestFailedException NO_CREDENTIALS when Google's own service is meant and nobody has
   *     told this process who it is
   */
  public ComputeEngineProvider(ComputeOptions options) throws RequestFailedException {
    this.options = options;
    project = options.project();
    connection = new Connection(options);
    compute = connection.compute();
    exchange = new Exchange(compute, options);
    accounts = new ServiceAccounts(new GoogleApis(compute, options), project);
  }

  @Override
  public String describe() {
    String endpoint = options.endpoint();
    return "Compute Engine, project " + project + (endpoint == null ? "" : " at " + endpoint);
  }

  @Override
  public Vm create(VmSpec spec, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    VmRef ref = spec.ref();
    String what = "VM " + ref;
    Instance body = ComputeRequests.instance(spec, requestId);
    try {
      exchange.mutate(
          call,
          what,
          () ->
              compute
                  .instances()
                  .insert(project, ref.zone(), body)
                  .setRequestId(requestId.toString()),
          ref.zone());
    } catch (RequestFailedException e) {
      // Another's, unless it is what an earlier attempt made whose answer was lost.
      if (e.kind() != FailureKind.ALREADY_EXISTS
          || !requestId
              .toString()
              .equals(
                  ComputeViews.orEmpty(get(ref, call).getLabels()).get(ComputeRequests.REQUEST))) {
        throw e;
      }
      return await(ref, VmState.RUNNING, options.operationTimeout(), call);
    }
    return describe(ref, call);
  }

  @Override
  public List<Vm> createAll(List<VmSpec> specs, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    List<Vm> vms = new ArrayList<>();
    for (Instance one : bulk().make(specs, requestId, call)) {
      Vm vm = ComputeViews.vm(one);
      vms.add(
          vm.state() == VmState.RUNNING
              ? vm
              : await(vm.ref(), VmState.RUNNING, options.operationTimeout(), call));
    }
    return vms;
  }

  @Override
  public void settle(String zone, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    bulk().settle(zone, requestId, call);
  }

  private BulkInsert bulk() {
    return new BulkInsert(compute, exchange, project);
  }

  private Instance get(VmRef ref, ProviderCall call) throws RequestFailedException {
    return exchange.run(
        call, "VM " + ref, () -> compute.instances().get(project, ref.zone(), ref.name()));
  }

  @Override
  public Vm describe(VmRef ref, ProviderCall call) throws RequestFailedException {
    return ComputeViews.vm(get(ref, call));
  }

  @Override
  public List<Vm> list(@Nullable String runId, ProviderCall call) throws RequestFailedException {
    List<Vm> vms = new ArrayList<>();
    exchange.pages(
        call,
        "the VMs of the project",
        page ->
            compute.instances().aggregatedList(project).setFilter(filter(runId)).setPageToken(page),
        InstanceAggregatedList::getNextPageToken,
        answer ->
            inZones(answer.getItems())
                .forEach(
                    zone ->
                        ComputeViews.orEmpty(zone.getInstances())
                            .forEach(one -> vms.add(ComputeViews.vm(one)))));
    return vms;
  }

  private static <T> Collection<T> inZones(@Nullable Map<String, T> zones) {
    return zones == null ? List.of() : zones.values();
  }

  private static boolean isOf(@Nullable RunLabels labels, @Nullable String runId) {
    return labels != null && (runId == null || labels.runId().equals(runId));
  }

  private static String filter(@Nullable String runId) {
    return "labels." + RunLabels.RUN + (runId == null ? ":*" : "=" + runId);
  }

  @Override
  public Vm await(VmRef ref, VmState state, Duration atMost, ProviderCall call)
      throws RequestFailedException {
    long from = options.clock().nowMicros();
    Duration look = FIRST_LOOK;
    while (true) {
      Vm vm;
      try {
        vm = describe(ref, call);
      } catch (RequestFailedException e) {
        if (e.kind() != FailureKind.NOT_FOUND || state != VmState.GONE) {
          throw e;
        }
        return new Vm(ref, VmState.GONE, "", null, null, List.of(), null);
      }
      if (vm.state() == state) {
        return vm;
      }
      if (options.clock().nowMicros() - from >= atMost.toNanos() / 1_000) {
        throw new RequestFailedException(
            FailureKind.TIMED_OUT,
            "VM "
                + ref
                + ": "
                + vm.state()
                + ", not "
                + state
                + ", after "
                + atMost.toSeconds()
                + " s");
      }
      call.sleep(look);
      look = look.multipliedBy(2).compareTo(LONGEST_LOOK) < 0 ? look.multipliedBy(2) : LONGEST_LOOK;
    }
  }

  @Override
  public void delete(VmRef ref, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    String what = "VM " + ref;
    deletion(
        call,
        () ->
            exchange.mutate(
                call,
                what,
                () ->
                    compute
                        .instances()
                        .delete(project, ref.zone(), ref.name())
                        .setRequestId(requestId.toString()),
                ref.zone()));
  }

  /** An attempt whose answer was lost may have done its work: what is gone then is deleted. */
  private static void deletion(ProviderCall call, Mutation mutation) throws RequestFailedException {
    int before = call.retries();
    try {
      mutation.run();
    } catch (RequestFailedException e) {
      if (e.kind() != FailureKind.NOT_FOUND || call.retries() == before) {
        throw e;
      }
    }
  }

  @Override
  public String serialTail(VmRef ref, int maxChars, ProviderCall call)
      throws RequestFailedException {
    String text =
        exchange
            .run(
                call,
                "serial console of VM " + ref,
                () -> compute.instances().getSerialPortOutput(project, ref.zone(), ref.name()))
            .getContents();
    if (text == null) {
      return "";
    }
    return text.substring(Math.max(0, text.length() - maxChars));
  }

  @Override
  public List<Disk> listDisks(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    List<Disk> disks = new ArrayList<>();
    exchange.pages(
        call,
        "the disks of the project",
        page -> compute.disks().aggregatedList(project).setFilter(filter(runId)).setPageToken(page),
        DiskAggregatedList::getNextPageToken,
        answer ->
            inZones(answer.getItems())
                .forEach(
                    zone ->
                        ComputeViews.orEmpty(zone.getDisks())
                            .forEach(one -> disks.add(ComputeViews.disk(one)))));
    return disks;
  }

  @Override
  public void deleteDisk(String zone, String name, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    String what = "disk " + name + " in " + zone;
    deletion(
        call,
        () ->
            exchange.mutate(
                call,
                what,
                () ->
                    compute.disks().delete(project, zone, name).setRequestId(requestId.toString()),
                zone));
  }

  @Override
  public void createFirewall(FirewallSpec spec, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    String what = "firewall rule " + spec.name();
    var body = ComputeRequests.firewall(spec, requestId);
    try {
      exchange.mutate(
          call,
          what,
          () -> compute.firewalls().insert(project, body).setRequestId(requestId.toString()),
          null);
    } catch (RequestFailedException e) {
      if (e.kind() != FailureKind.ALREADY_EXISTS) {
        throw e;
      }
      var there = exchange.run(call, what, () -> compute.firewalls().get(project, spec.name()));
      // The description holds the request id.
      if (!String.valueOf(body.getDescription()).equals(there.getDescription())) {
        throw e;
      }
    }
  }

  @Override
  public List<Firewall> listFirewalls(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    List<Firewall> rules = new ArrayList<>();
    exchange.pages(
        call,
        "the firewall rules of the project",
        page -> compute.firewalls().list(project).setPageToken(page),
        FirewallList::getNextPageToken,
        answer ->
            ComputeViews.orEmpty(answer.getItems()).stream()
                .map(ComputeViews::firewall)
                .filter(rule -> isOf(rule.labels(), runId))
                .forEach(rules::add));
    return rules;
  }

  @Override
  public void deleteFirewall(String name, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    String what = "firewall rule " + name;
    deletion(
        call,
        () ->
            exchange.mutate(
                call,
                what,
                () -> compute.firewalls().delete(project, name).setRequestId(requestId.toString()),
                null));
  }

  @Override
  public List<Zone> zones(ProviderCall call) throws RequestFailedException {
    List<Zone> zones = new ArrayList<>();
    exchange.pages(
        call,
        "the zones",
        page -> compute.zones().list(project).setPageToken(page),
        ZoneList::getNextPageToken,
        answer ->
            ComputeViews.orEmpty(answer.getItems())
                .forEach(one -> zones.add(ComputeViews.zone(one))));
    return zones;
  }

  @Override
  public List<Quota> quotas(@Nullable String region, ProviderCall call)
      throws RequestFailedException {
    if (region == null) {
      return ComputeViews.quotas(
          exchange
              .run(call, "project " + project, () -> compute.projects().get(project))
              .getQuotas());
    }
    return ComputeViews.quotas(
        exchange
            .run(call, "region " + region, () -> compute.regions().get(project, region))
            .getQuotas());
  }

  @Override
  public MachineType machineType(String zone, String name, ProviderCall call)
      throws RequestFailedException {
    var type =
        exchange.run(
            call,
            "machine type " + name + " in " + zone,
            () -> compute.machineTypes().get(project, zone, name));
    return new MachineType(
        name,
        type.getGuestCpus() == null ? 0 : type.getGuestCpus(),
        type.getMemoryMb() == null ? 0 : type.getMemoryMb(),
        type.getMaximumPersistentDisks() == null ? 0 : type.getMaximumPersistentDisks());
  }

  @Override
  public List<Objection> preflight(
      List<VmSpec> vms, @Nullable String bucket, @Nullable String ownAccount, ProviderCall call)
      throws RequestFailedException {
    return new ComputePreflight(compute, exchange, options)
        .objections(vms, bucket, ownAccount, call);
  }

  @Override
  public void createAccount(AccountSpec spec, ProviderCall call) throws RequestFailedException {
    accounts.create(spec, call);
  }

  @Override
  public List<AccountSpec> listAccounts(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    return accounts.list(runId, call);
  }

  @Override
  public void deleteAccount(AccountSpec spec, ProviderCall call) throws RequestFailedException {
    accounts.delete(spec, call);
  }

  @Override
  public void close() {
    connection.close();
  }
}

package ebb.vm.provider;

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
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that has virtual machines. Every method blocks until it is done, reports to its {@link
 * ProviderCall} and may be called by many threads at once. A mutation that is called again with the
 * same {@link RequestId} changes nothing more.
 */
public interface Provider extends AutoCloseable {
  /** Which one, for people. */
  String describe();

  /** Makes a VM; returns when it is switched on. */
  Vm create(VmSpec spec, RequestId requestId, ProviderCall call) throws RequestFailedException;

  /**
   * Makes VMs of one zone that differ by their names only; returns when all are switched on. One
   * after the other, unless the provider can make all or none of them by one request.
   */
  default List<Vm> createAll(List<VmSpec> specs, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    List<Vm> vms = new ArrayList<>();
    for (VmSpec spec : specs) {
      String run = spec.labels().runId();
      vms.add(create(spec, RequestId.of(run, requestId.toString(), spec.ref().name(), 1), call));
    }
    return vms;
  }

  /**
   * Waits until a {@link #createAll} that somebody has sent and not waited for has come to its end,
   * whichever it is: what it makes can be deleted then. Does nothing unless the provider says so.
   */
  default void settle(String zone, RequestId requestId, ProviderCall call)
      throws RequestFailedException {}

  /**
   * A VM as it is.
   *
   * @throws RequestFailedException NOT_FOUND when there is none
   */
  Vm describe(VmRef ref, ProviderCall call) throws RequestFailedException;

  /** Ebb's VMs in all zones; of one run unless {@code runId} is null. */
  List<Vm> list(@Nullable String runId, ProviderCall call) throws RequestFailedException;

  /**
   * Waits for a state.
   *
   * @throws RequestFailedException TIMED_OUT when it does not come within {@code atMost}
   */
  Vm await(VmRef ref, VmState state, Duration atMost, ProviderCall call)
      throws RequestFailedException;

  /** Removes a VM with its disks; returns when it is gone. */
  void delete(VmRef ref, RequestId requestId, ProviderCall call) throws RequestFailedException;

  /** The end of what its serial console has shown. */
  String serialTail(VmRef ref, int maxChars, ProviderCall call) throws RequestFailedException;

  /** Disks that are not part of a VM; none unless the provider says so. */
  default List<Disk> listDisks(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    return List.of();
  }

  default void deleteDisk(String zone, String name, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no disk '" + name + "'");
  }

  default void createFirewall(FirewallSpec spec, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    throw new RequestFailedException(FailureKind.INVALID, describe() + " has no firewall rules");
  }

  /** Ebb's rules; none unless the provider says so. */
  default List<Firewall> listFirewalls(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    return List.of();
  }

  default void deleteFirewall(String name, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no rule '" + name + "'");
  }

  List<Zone> zones(ProviderCall call) throws RequestFailedException;

  /** The quotas of a region; of the project when {@code region} is null. None by default. */
  default List<Quota> quotas(@Nullable String region, ProviderCall call)
      throws RequestFailedException {
    return List.of();
  }

  MachineType machineType(String zone, String name, ProviderCall call)
      throws RequestFailedException;

  /**
   * What stands in the way of VMs that nobody has asked for yet; nothing is made. Nothing unless
   * the provider says so.
   *
   * @param bucket where they would keep results; null for none
   * @param ownAccount the account that would be made for them; null for none
   */
  default List<Objection> preflight(
      List<VmSpec> vms, @Nullable String bucket, @Nullable String ownAccount, ProviderCall call)
      throws RequestFailedException {
    return List.of();
  }

  /** Makes a service account that may use the objects of its bucket, and nothing else. */
  default void createAccount(AccountSpec spec, ProviderCall call) throws RequestFailedException {
    throw new RequestFailedException(FailureKind.INVALID, describe() + " has no accounts");
  }

  /** Accounts that runs have made; none unless the provider says so. */
  default List<AccountSpec> listAccounts(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    return List.of();
  }

  /** Removes an account, and its rights before that. */
  default void deleteAccount(AccountSpec spec, ProviderCall call) throws RequestFailedException {
    throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no " + spec.email());
  }

  @Override
  void close();
}

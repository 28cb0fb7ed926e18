package ebb.vm.provider;

import ebb.vm.port.Disk;
import ebb.vm.port.Firewall;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.MachineType;
import ebb.vm.port.Quota;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that has virtual machines. Every method blocks until it is done, reports to its {@link
 * Call} and may be called by many threads at once. A mutation that is called again with the same
 * {@link RequestId} changes nothing more.
 */
public interface Provider extends AutoCloseable {
  /** Which one, for people. */
  String describe();

  /** Makes a VM; returns when it is switched on. */
  Vm create(VmSpec spec, RequestId requestId, Call call) throws ProviderException;

  /**
   * A VM as it is.
   *
   * @throws ProviderException NOT_FOUND when there is none
   */
  Vm describe(VmRef ref, Call call) throws ProviderException;

  /** Ebb's VMs in all zones; of one run unless {@code runId} is null. */
  List<Vm> list(@Nullable String runId, Call call) throws ProviderException;

  /**
   * Waits for a state.
   *
   * @throws ProviderException TIMED_OUT when it does not come within {@code atMost}
   */
  Vm await(VmRef ref, VmState state, Duration atMost, Call call) throws ProviderException;

  /** Removes a VM with its disks; returns when it is gone. */
  void delete(VmRef ref, RequestId requestId, Call call) throws ProviderException;

  /** The end of what its serial console has shown. */
  String serialTail(VmRef ref, int maxChars, Call call) throws ProviderException;

  List<Disk> listDisks(@Nullable String runId, Call call) throws ProviderException;

  void deleteDisk(String zone, String name, RequestId requestId, Call call)
      throws ProviderException;

  void createFirewall(FirewallSpec spec, RequestId requestId, Call call) throws ProviderException;

  List<Firewall> listFirewalls(@Nullable String runId, Call call) throws ProviderException;

  void deleteFirewall(String name, RequestId requestId, Call call) throws ProviderException;

  List<Zone> zones(Call call) throws ProviderException;

  /** The quotas of a region; of the project when {@code region} is null. */
  List<Quota> quotas(@Nullable String region, Call call) throws ProviderException;

  MachineType machineType(String zone, String name, Call call) throws ProviderException;

  @Override
  void close();
}

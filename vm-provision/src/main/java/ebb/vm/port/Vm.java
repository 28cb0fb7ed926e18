package ebb.vm.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A VM as the provider sees it.
 *
 * @param internalAddress inside its network; null before it has one
 * @param externalAddress null when it has none
 * @param disks their names, the boot disk first
 * @param labels null when it is not Ebb's
 */
public record Vm(
    VmRef ref,
    VmState state,
    String machineType,
    @Nullable String internalAddress,
    @Nullable String externalAddress,
    List<String> disks,
    @Nullable RunLabels labels) {
  public Vm {
    disks = List.copyOf(disks);
  }
}

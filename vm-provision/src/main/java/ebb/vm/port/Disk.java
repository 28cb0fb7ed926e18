package ebb.vm.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disk that outlives or serves VMs.
 *
 * @param users the VMs that have it; empty for one that was left behind
 * @param labels null when it is not Ebb's
 */
public record Disk(
    String zone,
    String name,
    String type,
    long sizeGb,
    List<String> users,
    @Nullable RunLabels labels) {
  public Disk {
    users = List.copyOf(users);
  }
}

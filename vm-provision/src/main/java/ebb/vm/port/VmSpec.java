package ebb.vm.port;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A VM to be made. It deletes itself, disks included, when {@code maxRun} is over, whatever has
 * become of whoever made it.
 *
 * @param disks the boot disk first; that one has an image
 * @param network such as {@code default}
 * @param externalAddress whether it can be reached from outside of its network
 * @param tags what firewall rules aim at
 * @param startupScript run as root at each start; null for none. Whoever may read the project can
 *     read it: no place for secrets
 * @param serviceAccount what programs on the VM may act as; null for nobody
 * @param traits what it has beside
 */
public record VmSpec(
    VmRef ref,
    String machineType,
    List<DiskSpec> disks,
    String network,
    boolean externalAddress,
    Set<String> tags,
    Duration maxRun,
    @Nullable String startupScript,
    @Nullable String serviceAccount,
    VmTraits traits,
    RunLabels labels) {
  // "The value must be between 30 seconds and 120 days."
  private static final Duration SHORTEST_RUN = Duration.ofSeconds(30);
  private static final Duration LONGEST_RUN = Duration.ofDays(120);

  /** "The maximum size of a metadata value is 256 KB." */
  public static final int MAX_SCRIPT = 256 * 1_024;

  public VmSpec {
    Names.checked("machine type", machineType);
    Names.checked("network", network);
    disks = List.copyOf(disks);
    tags = Set.copyOf(tags);
    tags.forEach(tag -> Names.checked("tag", tag));
    if (disks.isEmpty() || disks.get(0).image() == null) {
      throw new IllegalArgumentException(ref + ": the first disk has to have an image to boot");
    }
    if (maxRun.compareTo(SHORTEST_RUN) < 0 || maxRun.compareTo(LONGEST_RUN) > 0) {
      throw new IllegalArgumentException(
          ref + ": a VM may run for 30 s to 120 days, not " + maxRun);
    }
    if (startupScript != null && startupScript.length() > MAX_SCRIPT) {
      throw new IllegalArgumentException(ref + ": a start-up script has at most 256 KiB");
    }
  }

  /** A VM with nothing beside. */
  public VmSpec(
      VmRef ref,
      String machineType,
      List<DiskSpec> disks,
      String network,
      boolean externalAddress,
      Set<String> tags,
      Duration maxRun,
      @Nullable String startupScript,
      @Nullable String serviceAccount,
      RunLabels labels) {
    this(
        ref,
        machineType,
        disks,
        network,
        externalAddress,
        tags,
        maxRun,
        startupScript,
        serviceAccount,
        VmTraits.PLAIN,
        labels);
  }

  /** The same VM with another name. */
  public VmSpec named(String name) {
    return new VmSpec(
        new VmRef(ref.zone(), name),
        machineType,
        disks,
        network,
        externalAddress,
        tags,
        maxRun,
        startupScript,
        serviceAccount,
        traits,
        labels);
  }
}

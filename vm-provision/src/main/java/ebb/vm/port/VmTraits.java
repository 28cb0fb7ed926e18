package ebb.vm.port;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a VM has beside its machine type and disks. Which of them go together the service knows;
 * what it does not tell beforehand is data of {@code ebb.vm.rules}.
 *
 * @param subnetwork in the region of its zone; null for the network's own choice
 * @param spot whether the service may take it away at any time, for a lower price
 * @param gvnic whether its interface is Google's own (gVNIC), not the machine series' standard one
 * @param tier1 whether it has the higher bandwidth of Tier_1, which is paid for
 * @param placement the name of a resource policy of its region that says how close machines are to
 *     one another; null for none
 * @param shielded whether it boots only what is signed, with a virtual TPM and integrity monitoring
 * @param minCpuPlatform such as {@code Intel Ice Lake}; null for any
 */
public record VmTraits(
    @Nullable String subnetwork,
    boolean spot,
    boolean gvnic,
    boolean tier1,
    @Nullable String placement,
    boolean shielded,
    @Nullable String minCpuPlatform) {
  /** Nothing beside. */
  public static final VmTraits PLAIN = new VmTraits(null, false, false, false, null, false, null);

  private static final Pattern PLATFORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 -]{1,60}");

  public VmTraits {
    if (subnetwork != null) {
      Names.checked("subnetwork", subnetwork);
    }
    if (placement != null) {
      Names.checked("placement", placement);
    }
    if (minCpuPlatform != null && !PLATFORM.matcher(minCpuPlatform).matches()) {
      throw new IllegalArgumentException("'" + minCpuPlatform + "' is no CPU platform");
    }
  }
}

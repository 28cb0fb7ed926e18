package ebb.vm.rules;

import ebb.vm.port.DiskSpec;
import ebb.vm.port.VmSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What machines cost by list prices of one region, which are data ({@code prices.csv}): an
 * estimate, from which discounts are missing, as is what other regions and traffic cost.
 */
public final class Prices {
  private static final double HOURS_OF_A_MONTH = 730;
  private static final double MIB_OF_A_GIB = 1_024;
  private static final double BYTES_OF_A_GIB = 1L << 30;
  private static final int LOCAL_SSD_GB = 375;

  /** An image's own size, which a plan need not say. */
  private static final int BOOT_GB = 10;

  private static final Set<String> REGIONS = Set.of("us-central1", "us-west1");

  private final Map<String, Double> prices = new HashMap<>();
  private final Set<String> dates = new TreeSet<>();

  /**
   * What some VMs come to.
   *
   * @param dollars at most, as far as prices are known
   * @param unknown what has no price here
   * @param elsewhere regions that have other prices than those that were taken
   * @param seen when the prices were looked at
   */
  public record Estimate(double dollars, Set<String> unknown, Set<String> elsewhere, String seen) {
    public Estimate {
      unknown = Set.copyOf(unknown);
      elsewhere = Set.copyOf(elsewhere);
    }
  }

  /** One VM with what its machine type has. */
  public record Sized(VmSpec vm, int vcpus, long memoryMb) {}

  private Prices() {
    for (List<String> row : RuleTable.read("prices.csv", 5)) {
      double hours = row.get(2).equals("month") ? HOURS_OF_A_MONTH : 1;
      prices.put(row.get(0), Double.parseDouble(row.get(1)) / hours);
      dates.add(row.get(4));
    }
  }

  /** Those of the jar. */
  public static Prices standard() {
    return new Prices();
  }

  /** What a VM costs an hour without its disks; empty when that is not known. */
  public OptionalDouble vmPerHour(String machineType, int vcpus, long memoryMb) {
    Set<String> unknown = new HashSet<>();
    String series = RuleTable.series(machineType);
    double sum =
        vcpus * price(series + "-vcpu", unknown)
            + memoryMb / MIB_OF_A_GIB * price(series + "-gib", unknown);
    return unknown.isEmpty() ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }

  /** What a disk costs an hour; empty when that is not known. */
  public OptionalDouble diskPerHour(String type, long sizeGb) {
    Set<String> unknown = new HashSet<>();
    double sum = sizeGb * price(type, unknown);
    return unknown.isEmpty() ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }

  /** What objects of the standard class cost an hour. */
  public OptionalDouble objectsPerHour(long bytes) {
    Set<String> unknown = new HashSet<>();
    double sum = bytes / BYTES_OF_A_GIB * price("gcs-standard", unknown);
    return unknown.isEmpty() ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }

  /** When prices were looked at. */
  public String seen() {
    return String.join(", ", dates);
  }

  /** What VMs come to when each runs for as long as it may; spot ones as if they were not. */
  public Estimate estimate(List<Sized> vms) {
    double sum = 0;
    Set<String> unknown = new HashSet<>();
    Set<String> elsewhere = new HashSet<>();
    for (Sized one : vms) {
      double hours = one.vm.maxRun().toSeconds() / 3_600.0;
      String series = RuleTable.series(one.vm.machineType());
      sum += hours * one.vcpus * price(series + "-vcpu", unknown);
      sum += hours * one.memoryMb / MIB_OF_A_GIB * price(series + "-gib", unknown);
      for (DiskSpec disk : one.vm.disks()) {
        int usual = disk.isLocalSsd() ? LOCAL_SSD_GB : BOOT_GB;
        sum += hours * (disk.sizeGb() == 0 ? usual : disk.sizeGb()) * price(disk.type(), unknown);
      }
      if (one.vm.traits().tier1()) {
        unknown.add("Tier_1 bandwidth");
      }
      String zone = one.vm.ref().zone();
      String region = zone.substring(0, Math.max(0, zone.lastIndexOf('-')));
      if (!REGIONS.contains(region)) {
        elsewhere.add(region);
      }
    }
    return new Estimate(sum, unknown, elsewhere, seen());
  }

  private double price(String item, Set<String> unknown) {
    @Nullable Double price = prices.get(item);
    if (price == null) {
      unknown.add(item);
      return 0;
    }
    return price;
  }
}

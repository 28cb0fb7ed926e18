package ebb.vm.gce;

import com.google.api.services.compute.Compute;
import com.google.api.services.compute.model.DiskType;
import com.google.api.services.compute.model.Image;
import com.google.api.services.compute.model.Network;
import com.google.api.services.compute.model.Router;
import com.google.api.services.compute.model.RouterList;
import com.google.api.services.compute.model.Subnetwork;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.Objection;
import ebb.vm.port.VmSpec;
import ebb.vm.provider.ProviderCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks what VMs need beside zones, machine types and quotas: images, disk types, networks and the
 * way out of them, placement. Who the VMs act as is {@link AccountPreflight}'s. Each thing is asked
 * for once, however many VMs need it.
 */
final class ComputePreflight {
  private static final Pattern IMAGE =
      Pattern.compile("projects/([^/]+)/global/images/(family/)?([^/]+)");

  /** "A textual description of the valid disk size, such as "10GB-10TB"". */
  private static final Pattern SIZES = Pattern.compile("(\\d{1,9})GB-(\\d{1,9})GB");

  private static final Set<String> GONE = Set.of("OBSOLETE", "DELETED");

  private final Compute compute;
  private final Exchange exchange;
  private final ComputeOptions options;
  private final String project;
  private final List<Objection> found = new ArrayList<>();
  private final Set<String> asked = new HashSet<>();

  /** What sizes a type of disk may have, by zone and type. */
  private final Map<String, String> sizes = new HashMap<>();

  private interface Making<T> extends Exchange.Making<T> {}

  ComputePreflight(Compute compute, Exchange exchange, ComputeOptions options) {
    this.compute = compute;
    this.exchange = exchange;
    this.options = options;
    project = options.project();
  }

  List<Objection> objections(
      List<VmSpec> vms, @Nullable String bucket, @Nullable String ownAccount, ProviderCall call)
      throws RequestFailedException {
    for (int i = 0; i < vms.size(); i++) {
      VmSpec vm = vms.get(i);
      for (int disk = 0; disk < vm.disks().size(); disk++) {
        image(i, vm.disks().get(disk), disk == 0 ? "image" : "disks", call);
        diskType(i, vm, vm.disks().get(disk), disk == 0 ? "boot-disk" : "disks", call);
      }
      network(i, vm, call);
      placement(i, vm, call);
    }
    found.addAll(
        new AccountPreflight(new GoogleApis(compute, options), options)
            .objections(vms, bucket, ownAccount, call));
    return List.copyOf(found);
  }

  /** What is there; null, and an objection, when it is not. */
  private <T> @Nullable T there(
      int vm, String key, String what, String otherwise, Making<T> making, ProviderCall call)
      throws RequestFailedException {
    try {
      return exchange.run(call, what, making);
    } catch (RequestFailedException e) {
      if (e.kind() == FailureKind.NOT_FOUND || e.kind() == FailureKind.INVALID) {
        found.add(new Objection(vm, key, true, "there is no " + what + "; " + otherwise));
      } else if (e.kind() == FailureKind.NO_PERMISSION) {
        found.add(new Objection(vm, key, false, what + " could not be looked at: " + e.line()));
      } else {
        throw e;
      }
      return null;
    }
  }

  private void image(int vm, DiskSpec disk, String key, ProviderCall call)
      throws RequestFailedException {
    String path = disk.image();
    if (path == null || !asked.add("image " + path)) {
      return;
    }
    Matcher parts = IMAGE.matcher(path);
    if (!parts.matches()) {
      return;
    }
    String of = parts.group(1);
    String name = parts.group(3);
    boolean family = parts.group(2) != null;
    Image image =
        there(
            vm,
            key,
            (family ? "image family '" : "image '") + name + "' in project " + of,
            "'gcloud compute images list --project " + of + "' shows those that there are",
            () ->
                family ? compute.images().getFromFamily(of, name) : compute.images().get(of, name),
            call);
    if (image != null
        && image.getDeprecated() != null
        && GONE.contains(String.valueOf(image.getDeprecated().getState()))) {
      found.add(
          new Objection(
              vm,
              key,
              true,
              "image '" + name + "' is " + image.getDeprecated().getState() + "; take another"));
    }
  }

  private void diskType(int vm, VmSpec spec, DiskSpec disk, String key, ProviderCall call)
      throws RequestFailedException {
    String zone = spec.ref().zone();
    String which = zone + "/" + disk.type();
    if (asked.add("disk type " + which)) {
      DiskType type =
          there(
              vm,
              key,
              "disk type '" + disk.type() + "' in " + zone,
              "pd-balanced and pd-ssd are in all zones",
              () -> compute.diskTypes().get(project, zone, disk.type()),
              call);
      if (type != null && type.getValidDiskSize() != null && !disk.isLocalSsd()) {
        sizes.put(which, type.getValidDiskSize());
      }
    }
    Matcher size = SIZES.matcher(sizes.getOrDefault(which, ""));
    if (disk.sizeGb() > 0 && size.matches()) {
      long least = Long.parseLong(size.group(1));
      long most = Long.parseLong(size.group(2));
      if (disk.sizeGb() < least || disk.sizeGb() > most) {
        String words = "a " + disk.type() + " has " + least + " to " + most + " GB, not ";
        found.add(new Objection(vm, key, true, words + disk.sizeGb()));
      }
    }
  }

  private static String region(VmSpec vm) {
    String zone = vm.ref().zone();
    return zone.substring(0, Math.max(0, zone.lastIndexOf('-')));
  }

  private void network(int vm, VmSpec spec, ProviderCall call) throws RequestFailedException {
    String name = spec.network();
    String region = region(spec);
    String given = spec.traits().subnetwork();
    if (!asked.add("network " + name + " " + region + " " + given + spec.externalAddress())) {
      return;
    }
    Network network =
        there(
            vm,
            "network",
            "network '" + name + "'",
            "'gcloud compute networks list' shows those that there are",
            () -> compute.networks().get(project, name),
            call);
    if (network == null) {
      return;
    }
    if (given == null && Boolean.FALSE.equals(network.getAutoCreateSubnetworks())) {
      found.add(
          new Objection(
              vm,
              "network",
              true,
              "network '" + name + "' makes no subnetworks by itself: name one with 'subnetwork'"));
      return;
    }
    String subnetwork = given == null ? name : given;
    Subnetwork there =
        there(
            vm,
            given == null ? "network" : "subnetwork",
            "subnetwork '" + subnetwork + "' in " + region,
            "'gcloud compute networks subnets list --filter=region:" + region + "' shows them",
            () -> compute.subnetworks().get(project, region, subnetwork),
            call);
    if (there != null && !spec.externalAddress()) {
      wayOut(vm, name, region, there, call);
    }
  }

  /** Without an external address: to the bucket, and to where Java comes from. */
  private void wayOut(
      int vm, String network, String region, Subnetwork subnetwork, ProviderCall call)
      throws RequestFailedException {
    if (!Boolean.TRUE.equals(subnetwork.getPrivateIpGoogleAccess())) {
      found.add(
          new Objection(
              vm,
              "external-address",
              true,
              "without an external address the VM reaches its bucket only with Private Google"
                  + " Access: gcloud compute networks subnets update "
                  + subnetwork.getName()
                  + " --region "
                  + region
                  + " --enable-private-ip-google-access; or external-address = true"));
    }
    List<Router> routers = new ArrayList<>();
    exchange.pages(
        call,
        "the routers of " + region,
        page -> compute.routers().list(project, region).setPageToken(page),
        RouterList::getNextPageToken,
        answer -> routers.addAll(ComputeViews.orEmpty(answer.getItems())));
    boolean nat =
        routers.stream()
            .anyMatch(
                router ->
                    network.equals(ComputeViews.lastOf(router.getNetwork()))
                        && !ComputeViews.orEmpty(router.getNats()).isEmpty());
    if (!nat) {
      found.add(
          new Objection(
              vm,
              "external-address",
              true,
              "without an external address the VM fetches Java only through Cloud NAT, and no"
                  + " router of network '"
                  + network
                  + "' in "
                  + region
                  + " has one; make one, or external-address = true"));
    }
  }

  private void placement(int vm, VmSpec spec, ProviderCall call) throws RequestFailedException {
    String name = spec.traits().placement();
    String region = region(spec);
    if (name != null && asked.add("placement " + region + "/" + name)) {
      String policy = Objects.requireNonNull(name);
      there(
          vm,
          "placement",
          "resource policy '" + policy + "' in " + region,
          "gcloud compute resource-policies create group-placement "
              + policy
              + " --region "
              + region
              + " --collocation=collocated",
          () -> compute.resourcePolicies().get(project, region, policy),
          call);
    }
  }
}

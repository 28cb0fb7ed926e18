package ebb.vm.port;

import ebb.core.attempts.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/**
 * Virtual machines as a Kompics port. {@code ProvisionClient} provides it, for any provider.
 *
 * <p>Each request has an id from {@link #newId()} and is answered by exactly one {@link Done},
 * whatever happens; {@link Progress} may come before. Requests run side by side and without an
 * order between them. Kompics shows an indication to every component on the port, so a user ignores
 * ids that are not its own.
 *
 * <p>A request that changes something has a {@link RequestId} too; sent again with the same one, it
 * changes nothing more.
 */
public final class ProvisionPort extends PortType {
  private static final AtomicLong NEXT_ID = new AtomicLong(1);

  {
    request(CreateVm.class);
    request(CreateVms.class);
    request(SettleVms.class);
    request(DescribeVm.class);
    request(ListVms.class);
    request(WaitForVm.class);
    request(DeleteVm.class);
    request(SerialTail.class);
    request(ListDisks.class);
    request(DeleteDisk.class);
    request(CreateFirewall.class);
    request(ListFirewalls.class);
    request(DeleteFirewall.class);
    request(ListZones.class);
    request(ListQuotas.class);
    request(DescribeMachineType.class);
    request(Preflight.class);
    request(CreateAccount.class);
    request(ListAccounts.class);
    request(DeleteAccount.class);
    request(CancelAll.class);
    indication(Progress.class);
    indication(Done.class);
  }

  /** An id that no other request of this process has. */
  public static long newId() {
    return NEXT_ID.getAndIncrement();
  }

  /** What all requests but {@link CancelAll} have in common. */
  public sealed interface Request extends KompicsEvent {
    long id();
  }

  /** Makes a VM and waits until it is switched on. */
  public record CreateVm(long id, VmSpec spec, RequestId requestId) implements Request {}

  /**
   * Makes VMs of one zone that differ by their names only, all or none, and waits until they are
   * switched on.
   */
  public record CreateVms(long id, List<VmSpec> specs, RequestId requestId) implements Request {
    public CreateVms {
      specs = List.copyOf(specs);
      if (specs.isEmpty()) {
        throw new IllegalArgumentException("no VMs to be made");
      }
      for (VmSpec spec : specs) {
        if (!specs.get(0).named(spec.ref().name()).equals(spec)) {
          throw new IllegalArgumentException(
              spec.ref() + " differs from " + specs.get(0).ref() + " by more than its name");
        }
      }
    }
  }

  /** Waits until a {@link CreateVms} that was cancelled has come to its end, if it was sent. */
  public record SettleVms(long id, String zone, RequestId requestId) implements Request {}

  public record DescribeVm(long id, VmRef ref) implements Request {}

  /**
   * Lists Ebb's VMs in all zones.
   *
   * @param runId null for those of all runs
   */
  public record ListVms(long id, @Nullable String runId) implements Request {}

  /** Waits until a VM is in a state; GONE waits for its end. */
  public record WaitForVm(long id, VmRef ref, VmState state, Duration atMost) implements Request {}

  /** Removes a VM with its disks and waits until it is gone. */
  public record DeleteVm(long id, VmRef ref, RequestId requestId) implements Request {}

  /** Asks for the end of what a VM's serial console shows, at most so many characters. */
  public record SerialTail(long id, VmRef ref, int maxChars) implements Request {}

  /** Lists Ebb's disks in all zones; {@code runId} is null for all runs. */
  public record ListDisks(long id, @Nullable String runId) implements Request {}

  public record DeleteDisk(long id, String zone, String name, RequestId requestId)
      implements Request {}

  public record CreateFirewall(long id, FirewallSpec spec, RequestId requestId)
      implements Request {}

  /** Lists Ebb's rules; {@code runId} is null for all runs. */
  public record ListFirewalls(long id, @Nullable String runId) implements Request {}

  public record DeleteFirewall(long id, String name, RequestId requestId) implements Request {}

  public record ListZones(long id) implements Request {}

  /** Lists the quotas of a region; null for those of the project. */
  public record ListQuotas(long id, @Nullable String region) implements Request {}

  public record DescribeMachineType(long id, String zone, String name) implements Request {}

  /**
   * Asks what stands in the way of VMs, without making anything.
   *
   * @param bucket where they would keep results, such as {@code gs://BUCKET}; null for none
   * @param ownAccount the account that would be made for them; null for none
   */
  public record Preflight(
      long id, List<VmSpec> vms, @Nullable String bucket, @Nullable String ownAccount)
      implements Request {
    public Preflight {
      vms = List.copyOf(vms);
    }
  }

  /** Makes a service account with its rights; one that is the run's already is left as it is. */
  public record CreateAccount(long id, AccountSpec spec) implements Request {}

  /** Lists the accounts that runs have made; {@code runId} is null for all runs. */
  public record ListAccounts(long id, @Nullable String runId) implements Request {}

  /** Removes a service account and its rights. */
  public record DeleteAccount(long id, AccountSpec spec) implements Request {}

  /**
   * Answers all requests before this one with CANCELLED, at once. What has been sent may still
   * happen; who cares lists afterwards, or deletes.
   */
  public record CancelAll() implements KompicsEvent {}

  /** How far a request has come. */
  public enum Step {
    /** The service has taken the request on; its operation has begun. */
    ACCEPTED,
    /** The operation goes on. */
    RUNNING,
    /** Something failed and is tried again after a pause. */
    BACKING_OFF
  }

  /** One line about a request that is under way. */
  public record Progress(long id, Step step, String text) implements KompicsEvent {}

  /** The answer to a request; {@link Answer.None} after a failure. */
  public record Done(long id, Outcome outcome, Answer answer) implements KompicsEvent {}
}

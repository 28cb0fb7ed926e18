package ebb.vm.command;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.vm.port.Answer;
import ebb.vm.port.Firewall;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DescribeVm;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.SerialTail;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmState;
import ebb.vm.startup.StartupStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a VM can be reached and what may be in the way, as far as its provider knows. It opens no
 * connection to the VM; whoever does asks here first, and again when nobody answers.
 */
public final class VmTarget {
  private static final int CONSOLE_CHARS = 64_000;

  /**
   * One thing that has to be so before a VM can be reached.
   *
   * @param words what was found, or why not
   */
  public record Step(String name, boolean ok, String words) {}

  /**
   * What is known.
   *
   * @param steps in their order; the last one is the only one that may have failed
   * @param address null when there is none to be used
   * @param hint what to look at when nobody answers there
   */
  public record Found(List<Step> steps, @Nullable String address, String hint) {
    public Found {
      steps = List.copyOf(steps);
    }
  }

  private final List<Step> steps = new ArrayList<>();

  private final VmOptions options;
  private final ProviderOption providers;

  private VmTarget(VmOptions options, ProviderOption providers) {
    this.options = options;
    this.providers = providers;
  }

  /**
   * Asks the provider.
   *
   * @param providers whether a cloud's VM or this machine's is meant
   * @param internal whether its internal address is to be used
   * @param tcpPort that has to be open, for the hint
   * @param udpPorts likewise
   */
  public static Found find(
      VmOptions options,
      ProviderOption providers,
      String zone,
      String name,
      boolean internal,
      int tcpPort,
      List<Integer> udpPorts,
      Consumer<String> progress) {
    VmRef ref;
    try {
      ref = new VmRef(zone, name);
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
    }
    try (VmSession session = providers.session(options, progress)) {
      return new VmTarget(options, providers).find(session, ref, internal, tcpPort, udpPorts);
    }
  }

  private Found find(
      VmSession session, VmRef ref, boolean internal, int tcpPort, List<Integer> udpPorts) {
    Done done = session.ask(new DescribeVm(ProvisionPort.newId(), ref));
    if (done.outcome().failure() == FailureKind.NOT_FOUND) {
      return failed("VM", "there is no VM " + ref);
    }
    if (!(done.answer() instanceof Answer.OneVm answer)) {
      throw new EbbException(
          VmOptions.exitCode(
              done.outcome().failure() == null ? FailureKind.INTERNAL : done.outcome().failure()),
          done.outcome().message());
    }
    Vm vm = answer.vm();
    String state = vm.state().name().toLowerCase(Locale.ROOT);
    if (vm.state() != VmState.RUNNING) {
      return failed("VM", ref + " is not running but " + state);
    }
    steps.add(new Step("VM", true, ref + " is " + state));
    String address = internal ? vm.internalAddress() : vm.externalAddress();
    if (address == null) {
      return failed(
          "address",
          internal
              ? ref + " has no internal address yet"
              : ref
                  + " has no external address; 'ebb vm check --internal' from a machine in its"
                  + " network");
    }
    steps.add(new Step("address", true, address));
    String namespace = otherNamespace(ref);
    if (namespace != null) {
      return failed(
          "network",
          "it is in a network namespace of its own: ip netns exec "
              + namespace
              + " ebb vm check "
              + ref.name()
              + " --zone "
              + ref.zone()
              + " --provider local"
              + (options.stateDirectory == null
                  ? ""
                  : " --state-dir " + options.stateDirectory.toAbsolutePath()));
    }
    return new Found(steps, address, hint(session, vm, tcpPort, udpPorts));
  }

  private @Nullable String otherNamespace(VmRef ref) {
    try {
      return providers.isLocal() ? ProviderOption.here(options).otherNamespace(ref) : null;
    } catch (RequestFailedException gone) {
      return null;
    }
  }

  private Found failed(String name, String words) {
    steps.add(new Step(name, false, words));
    return new Found(steps, null, "");
  }

  private String hint(VmSession session, Vm vm, int tcpPort, List<Integer> udpPorts) {
    List<String> hints = new ArrayList<>();
    String tag = vm.labels() == null ? null : vm.labels().runId();
    // Rules on this machine keep nobody out.
    if (tag != null && !providers.isLocal()) {
      String missing = missing(session, tag, tcpPort, udpPorts);
      hints.add(
          missing.isEmpty()
              ? "rules of Ebb's open its ports; is your address in their ranges? ('ebb vm firewall"
                  + " list')"
              : "no firewall rule of Ebb's opens "
                  + missing
                  + " to it: ebb vm firewall create NAME --allow "
                  + missing.replace(" and ", " --allow ")
                  + " --to "
                  + tag
                  + " --from YOUR-ADDRESS/32");
    }
    Done serial = session.ask(new SerialTail(ProvisionPort.newId(), vm.ref(), CONSOLE_CHARS));
    if (serial.answer() instanceof Answer.SerialText console) {
      List<StartupStep> started = StartupStep.in(console.text());
      hints.add(
          started.isEmpty()
              ? "its console shows no step of Ebb's start-up script"
              : "its start-up script's last step: " + started.get(started.size() - 1));
    }
    return String.join("; ", hints);
  }

  /** Which of the ports none of Ebb's rules opens to a tag, such as {@code tcp:1 and udp:1,2}. */
  private static String missing(
      VmSession session, String tag, int tcpPort, List<Integer> udpPorts) {
    Done done = session.ask(new ListFirewalls(ProvisionPort.newId(), null));
    if (!(done.answer() instanceof Answer.Firewalls answer)) {
      return "";
    }
    List<String> missing = new ArrayList<>();
    if (!isOpen(answer.firewalls(), tag, "tcp", tcpPort)) {
      missing.add("tcp:" + tcpPort);
    }
    List<String> udp = new ArrayList<>();
    for (int port : udpPorts) {
      if (!isOpen(answer.firewalls(), tag, "udp", port)) {
        udp.add(Integer.toString(port));
      }
    }
    if (!udp.isEmpty()) {
      missing.add("udp:" + String.join(",", udp));
    }
    return String.join(" and ", missing);
  }

  private static boolean isOpen(List<Firewall> rules, String tag, String protocol, int port) {
    for (Firewall rule : rules) {
      for (String allowed : rule.allowed()) {
        String[] parts = allowed.split(":", 2);
        if (rule.targetTags().contains(tag)
            && parts.length == 2
            && parts[0].equals(protocol)
            && Arrays.asList(parts[1].split(",", -1)).contains(Integer.toString(port))) {
          return true;
        }
      }
    }
    return false;
  }
}

package ebb.vm.command;

import ebb.vm.local.LocalNetwork;
import ebb.vm.local.LocalProvider;
import ebb.vm.port.RunLabels;
import ebb.vm.run.Placement;
import ebb.vm.startup.StartupSpec.Host;
import java.time.Duration;
import java.util.List;

/** Processes on this machine in place of VMs. */
record LocalPlacement(
    LocalProvider provider, LocalNetwork network, RunLabels labels, Duration bootTime)
    implements Placement {
  private static final Duration POLL = Duration.ofMillis(200);

  private String fullName(String vmName) {
    return labels.runId() + "-" + vmName;
  }

  private String address(String vmName) {
    String address = network.addresses().get(fullName(vmName));
    if (address == null) {
      throw new IllegalArgumentException("no VM '" + vmName + "'");
    }
    return address;
  }

  @Override
  public Host host(String vmName) {
    String address = address(vmName);
    return new Host.LocalProcess(provider.home(fullName(vmName)).toString(), address, address);
  }

  /** On loopback they all share one network, and each has an address of its own. */
  @Override
  public List<String> bind(String vmName) {
    return List.of("-B", address(vmName));
  }

  @Override
  public boolean isOneComputer() {
    return true;
  }

  @Override
  public Duration pollInterval() {
    return POLL;
  }
}

package ebb.vm.command;

import ebb.vm.run.Placement;
import ebb.vm.startup.StartupSpec.Host;
import java.time.Duration;
import java.util.List;

/** VMs of a cloud: whole machines, far away, that may have to install Java first. */
record CloudPlacement(Duration pollInterval, Duration bootTime) implements Placement {
  @Override
  public Host host(String vmName) {
    return Host.Machine.STANDARD;
  }

  @Override
  public List<String> bind(String vmName) {
    return List.of();
  }

  @Override
  public boolean isOneComputer() {
    return false;
  }
}

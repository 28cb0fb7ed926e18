package ebb.vm.run;

import ebb.vm.startup.StartupSpec.Host;
import java.time.Duration;
import java.util.List;

/** Where nothing is to happen any more. */
final class NoPlacement implements Placement {
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

  @Override
  public Duration pollInterval() {
    return Duration.ZERO;
  }

  @Override
  public Duration bootTime() {
    return Duration.ZERO;
  }
}

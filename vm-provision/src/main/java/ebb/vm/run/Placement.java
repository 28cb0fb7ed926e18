package ebb.vm.run;

import ebb.vm.startup.StartupSpec.Host;
import java.time.Duration;
import java.util.List;

/** What a kind of provider means for a run. */
public interface Placement {
  /** How a VM of the run will find itself. */
  Host host(String vmName);

  /** Words for {@code ebb net server} that bind it to that VM. */
  List<String> bind(String vmName);

  /** Whether the VMs share one computer, so that no two may measure anything at a time. */
  boolean isOneComputer();

  /** Between two looks at what VMs have written. */
  Duration pollInterval();

  /** From its creation until a VM has to serve. */
  Duration bootTime();
}

package ebb.vm.port;

import java.util.List;

/** What a successful request brings. */
public sealed interface Answer {
  /** Nothing but the success. */
  record None() implements Answer {}

  /** The VM created, described or waited for. */
  record OneVm(Vm vm) implements Answer {}

  /** All VMs created or asked for. */
  record Vms(List<Vm> vms) implements Answer {
    public Vms {
      vms = List.copyOf(vms);
    }
  }

  /** All disks asked for. */
  record Disks(List<Disk> disks) implements Answer {
    public Disks {
      disks = List.copyOf(disks);
    }
  }

  /** All rules asked for. */
  record Firewalls(List<Firewall> firewalls) implements Answer {
    public Firewalls {
      firewalls = List.copyOf(firewalls);
    }
  }

  /** All service accounts asked for. */
  record Accounts(List<AccountSpec> accounts) implements Answer {
    public Accounts {
      accounts = List.copyOf(accounts);
    }
  }

  /** All zones. */
  record Zones(List<Zone> zones) implements Answer {
    public Zones {
      zones = List.copyOf(zones);
    }
  }

  /** The quotas of a region or of the project. */
  record Quotas(List<Quota> quotas) implements Answer {
    public Quotas {
      quotas = List.copyOf(quotas);
    }
  }

  /** The machine type asked for. */
  record OneMachineType(MachineType type) implements Answer {}

  /** What stands in the way; empty when nothing does. */
  record Objections(List<Objection> objections) implements Answer {
    public Objections {
      objections = List.copyOf(objections);
    }
  }

  /** The end of what a VM's serial console has shown. */
  record SerialText(String text) implements Answer {}
}

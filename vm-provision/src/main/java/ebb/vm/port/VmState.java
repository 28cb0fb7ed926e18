package ebb.vm.port;

/** What a VM is doing. */
public enum VmState {
  /** Machine and disks are being found. */
  STARTING,
  /** It has been switched on; its system may still be booting. */
  RUNNING,
  STOPPING,
  /** Switched off; its disks are still there and cost. */
  STOPPED,
  /** A state that this version of Ebb does not know. */
  OTHER,
  /** No such VM. */
  GONE
}

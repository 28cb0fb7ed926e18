package ebb.ledbat.netty;

/** Whether an offload of the kernel (GSO, GRO) is used. */
public enum Offload {
  /** Where transport and kernel have it; given up for good when a device cannot do it. */
  AUTO,
  OFF
}

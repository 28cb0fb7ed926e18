package ebb.net.client;

/** Whose server a client expects. */
public enum ServerKind {
  /** {@code ebb net server}. */
  EBB,
  /** That, or {@code iperf3 -s}: its first answer tells. */
  EITHER,
  /** {@code iperf3 -s}, or whoever speaks its protocol. */
  IPERF3
}

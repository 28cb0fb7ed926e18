package ebb.testkit.link;

/** What a link sees of a packet. Immutable, for a link may deliver the same packet twice. */
public interface SimPacket {
  /** Whose it is, for statistics. */
  int flow();

  /** Length with the IP header, which is what takes time on the link and room in its buffer. */
  int ipBytes();

  /** Whether a link with a smaller MTU drops it instead of cutting it up. */
  boolean dontFragment();

  /** Of everything in it, for the trace. */
  long checksum();
}

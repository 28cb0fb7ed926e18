package ebb.ledbat.trace;

/** Why a packet is taken for lost. */
public enum LossCause {
  /** Enough later ones were acknowledged, or for long enough. */
  LATER_ACKED,
  /** Three acknowledgements said the same, from a peer without selective acknowledgements. */
  DUPLICATE_ACKS,
  /** The retransmission timer ran out. */
  TIMEOUT,
  /** The kernel refused datagrams of its size. */
  TOO_LARGE
}

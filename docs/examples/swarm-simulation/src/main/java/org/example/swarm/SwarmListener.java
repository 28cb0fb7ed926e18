package org.example.swarm;

import ebb.core.kompics.EbbAddress;

/** Hears what a node does, on a thread of Kompics. */
public interface SwarmListener {
  /** A piece came and is the right one. */
  default void stored(EbbAddress self, int piece, EbbAddress from) {}

  /** All pieces are there; once, also when they were there from the start. */
  default void completed(EbbAddress self) {}

  /** A neighbour was given up. */
  default void lost(EbbAddress self, EbbAddress neighbour, String reason) {}
}

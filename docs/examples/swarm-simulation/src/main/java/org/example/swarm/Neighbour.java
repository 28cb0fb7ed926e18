package org.example.swarm;

import ebb.core.kompics.EbbAddress;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a node knows of another one that it exchanges pieces with. */
final class Neighbour {
  final EbbAddress address;

  /** The pieces that it has. */
  final BitSet have = new BitSet();

  /** What it was asked for and has not sent yet, by the time of asking. */
  final Map<Integer, Long> requested = new LinkedHashMap<>();

  long heardMillis;

  /** How many of its requests wait. */
  int waiting;

  Neighbour(EbbAddress address) {
    this.address = address;
  }
}

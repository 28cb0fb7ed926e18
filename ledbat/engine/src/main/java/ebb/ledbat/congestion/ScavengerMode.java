package ebb.ledbat.congestion;

/** What a scavenger is about. docs/controllers.md draws what leads from one to another. */
enum ScavengerMode {
  /** Looks for the rate of the path. */
  RAMPING("ramping"),
  /** Keeps the law's queue. */
  STEERING("steering"),
  /** Sends less or as much for a while, to learn whether losses depend on that. */
  TESTING("testing"),
  /** Leaves the link to a rival. */
  YIELDING("yielding"),
  /** Looks whether the rival is still there. */
  PROBING("probing"),
  /** Sends half of what led to losses in a probe, to learn what the path always loses. */
  PAUSING("pausing"),
  /** Keeps to what several probes ended at, to learn whether that is all there is. */
  HOLDING("holding");

  final String label;

  ScavengerMode(String label) {
    this.label = label;
  }
}

package ebb.net.mechanism;

/** A client's way to open flows of one mechanism, with its options settled. Thread-safe. */
@FunctionalInterface
public interface FlowOpening {
  /** For one run; any thread. */
  FlowOpener forRun(ClientRun run);
}

package ebb.core.attempts;

/**
 * Whether a service has ever answered. One that refuses connections and never did is taken for a
 * wrong address soon; one that did may come back, and is tried as often as its policy says. Any
 * thread may use it.
 */
public final class Contact {
  private static final int PATIENCE = 3;

  private volatile boolean answered;

  /** Something came back, whatever it was. */
  public void answered() {
    answered = true;
  }

  /**
   * Whether to give up.
   *
   * @param unconnected how often in a row there was no connection
   */
  public boolean isHopeless(int unconnected) {
    return !answered && unconnected >= PATIENCE;
  }
}

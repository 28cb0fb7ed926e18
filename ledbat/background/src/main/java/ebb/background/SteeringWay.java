package ebb.background;

/** What keeps a direction of a connection in the background. */
public enum SteeringWay {
  /** The direction is not steered. */
  NONE("not steered"),
  /**
   * Incoming: the kernel's receive window is bounded (TCP_WINDOW_CLAMP) by the round trips it
   * measures.
   */
  WINDOW_CLAMP("the receive window"),
  /**
   * Incoming, where the window is out of reach: the socket is read no faster than data keeps
   * coming. The sender is held below what the path would give it, but queues stay unseen.
   */
  READ_RATE("the rate of reading"),
  /**
   * Outgoing: the kernel is given no more than may be in flight, by the round trips it measures.
   */
  WRITE_WINDOW("bytes in flight"),
  /** Outgoing, where round trips are out of reach: only limits of the group hold. */
  WRITE_RATE("the rate of writing");

  private final String words;

  SteeringWay(String words) {
    this.words = words;
  }

  /** In a few words, for a line that people read. */
  public String words() {
    return words;
  }
}

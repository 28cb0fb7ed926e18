package ebb.ledbat.kompics;

/**
 * A message by LEDBAT that may overtake others, or be overtaken: one of a higher priority does not
 * wait behind any of a lower one that goes to the same peer. Between two of one priority the order
 * is kept, between others it is not. A message that does not say has {@link #NORMAL}.
 *
 * <p>Each priority that is used has a connection of its own to the peer, and none waits for ever.
 * Where the peer cannot be connected to, behind address translation, they share the one that there
 * is: a message of a higher priority goes before what has not begun.
 */
public interface Prioritized {
  /** Of messages that do not say. */
  int NORMAL = 0;

  /** The highest. */
  int HIGHEST = 3;

  /** {@link #NORMAL} to {@link #HIGHEST}; a message of any other is FAILED. */
  int priority();
}

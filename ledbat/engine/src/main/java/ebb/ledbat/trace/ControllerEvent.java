package ebb.ledbat.trace;

/** What a congestion controller is told besides acknowledgements. */
public enum ControllerEvent {
  /** Data was lost that was sent after the last loss was told. */
  LOSS,
  /** Data was found missing that was sent before the last loss was told. */
  LATE_LOSS,
  /** All that the last loss was about has arrived after all, only late. */
  SPURIOUS_LOSS,
  /** Nothing was acknowledged within the congestion timeout. */
  TIMEOUT,
  /** A packet of the handshake had to be sent again. */
  LOST_SYN,
  /** Data is about to be sent after a time with nothing in flight. */
  IDLE_END
}

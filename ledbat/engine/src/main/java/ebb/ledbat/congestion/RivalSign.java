package ebb.ledbat.congestion;

/** What told a scavenger of a rival, and so what it knows of the buffer that both share. */
enum RivalSign {
  /** A queue much longer than its kind makes. */
  LONG_QUEUE,
  /** Something else, while a queue was seen. */
  OTHER,
  /** Losses, of which no queue had warned. */
  BLIND_LOSS
}

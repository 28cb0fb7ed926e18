package ebb.ledbat.secure;

/** Why a peer that connected was dropped before it could say anything. */
public enum SecureRefusal {
  /** It has another key or none, uses it for something else, or replays what it saw. */
  NOT_THE_KEY,
  /** It had not proven the key in time. */
  TOO_LATE,
  /** Too many others came before it could prove the key. */
  CROWDED_OUT,
  /** It went away by itself. */
  GONE
}

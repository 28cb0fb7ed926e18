package ebb.files;

/** Why one file was not transferred. The numbers are part of the protocol. */
enum Refusal {
  /** The name is not allowed, or leads outside the directory. */
  BAD_NAME(1, false),
  /** Another file has the name. */
  EXISTS(2, false),
  /** The receiver takes no file of this size. */
  TOO_LARGE(3, false),
  /** Somebody else is sending this file right now. */
  BUSY(4, false),
  /** The disk is full. */
  NO_SPACE(5, true),
  /** The receiver could not read or write. */
  STORAGE(6, true),
  /** What arrived does not have the SHA-256 of what was sent. */
  CORRUPT(7, true),
  /** The file changed while it was being sent. */
  SOURCE_CHANGED(8, true),
  /** The sender could not read the file. */
  SOURCE_UNREADABLE(9, true),
  /** The sender stops because the receiver said so. */
  STOPPED(10, true),
  /** A reason that this version does not know. */
  OTHER(255, false);

  final int code;

  /** Whether the same command may succeed later and go on from there; else it was refused. */
  final boolean incomplete;

  Refusal(int code, boolean incomplete) {
    this.code = code;
    this.incomplete = incomplete;
  }

  /** The one that decides the exit code: what can be continued before what was refused. */
  static Refusal worse(Refusal a, Refusal b) {
    return b.incomplete && !a.incomplete ? b : a;
  }

  static Refusal of(int code) {
    for (Refusal refusal : values()) {
      if (refusal.code == code) {
        return refusal;
      }
    }
    return OTHER;
  }
}

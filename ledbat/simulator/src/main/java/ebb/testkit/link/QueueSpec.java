package ebb.testkit.link;

/**
 * Which packets of a link's buffer wait, which are dropped, and which goes next. A value; a link
 * makes the queue from it. The buffer's size is the link's ({@link LinkSpec#bufferBytes}): what
 * does not fit is dropped by every discipline.
 */
public sealed interface QueueSpec
    permits QueueSpec.DropTail, CodelSpec, PieSpec, RedSpec, FqCodelSpec, AckFilterSpec {
  /** Drops what finds the buffer full, and nothing else. */
  QueueSpec DROP_TAIL = new DropTail();

  /** See {@link #DROP_TAIL}. */
  record DropTail() implements QueueSpec {}
}

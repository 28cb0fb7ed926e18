package ebb.files;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** One offered file or directory at the sender, from the offer until it is done or failed. */
final class Outgoing {
  final Frame.Offer offer;
  final SourceItem.@Nullable File file;

  /** Whether the receiver asked for anything of it; then it is owed an END or a GIVE_UP. */
  volatile boolean asked;

  /** Whether END was sent, or that it will not come. */
  volatile boolean ended;

  /** The receiver has given it up. */
  volatile boolean stopped;

  /** After the bytes that were proven; null when none were. */
  @Nullable MessageDigest proven;

  long provenBytes;
  long startBytes;

  /** Empty while it is not known, and for good where content was not hashed. */
  volatile String sha256 = "";

  Outgoing(Frame.Offer offer, SourceItem.@Nullable File file) {
    this.offer = offer;
    this.file = file;
  }
}

package ebb.files;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One offered file at the receiver, from the offer until it is done or failed. */
final class Incoming {
  /** What the receiver waits for. */
  enum Stage {
    /** The proof that the file which has the name is the same. */
    EXISTING_PROOF,
    /** The proof that the part file is the beginning of this one. */
    PART_PROOF,
    /** BEGIN. */
    CONTENT,
    /** The end of content that is thrown away, for the file has failed. */
    FAILED
  }

  final Frame.Offer offer;
  final Path target;
  final PartFile part;
  Stage stage = Stage.CONTENT;

  /** Whether the name is taken and may be replaced. */
  boolean replaces;

  /** The hash of what is here, while a proof is awaited. */
  @Nullable CompletableFuture<MessageDigest> local;

  /** How much {@link #local} covers, or how much the part file holds for good. */
  long localBytes;

  /**
   * Of the content so far; null until BEGIN, unless the part file was proven, and where content is
   * not hashed.
   */
  @Nullable MessageDigest digest;

  long receivedBytes;

  /** Room on the disk that is promised and not used yet; of the {@link DiskBudget}. */
  long promisedBytes;

  Incoming(Frame.Offer offer, Path target, PartFile part) {
    this.offer = offer;
    this.target = target;
    this.part = part;
  }
}

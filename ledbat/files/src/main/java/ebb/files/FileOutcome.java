package ebb.files;

import org.jspecify.annotations.Nullable;

/**
 * What became of one file or directory at the sender.
 *
 * @param refusal why it failed; null when it did not
 * @param reason one line; empty when it did not fail
 * @param sha256 in hexadecimal; empty when it is not known
 */
record FileOutcome(
    String name,
    Status status,
    long sizeBytes,
    long resumedBytes,
    String sha256,
    @Nullable Refusal refusal,
    String reason) {
  enum Status {
    SENT,
    ALREADY_THERE,
    FAILED
  }
}

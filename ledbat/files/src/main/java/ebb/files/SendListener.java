package ebb.files;

/** What people are told of while a sender runs. Called by the session's threads. */
interface SendListener {
  /** The receiver speaks the protocol. */
  default void onSession() {}

  /** Content was handed to the transport, or needs not be ({@code skipped}). */
  default void onContent(long bytes, boolean skipped) {}

  /** The receiver has the file under its final name. */
  default void onOutcome(FileOutcome outcome) {}

  /** A source was left out on purpose. */
  default void onSkipped(String name, String reason) {}
}

package ebb.files;

import java.net.InetSocketAddress;

/** What people are told of while a receiver runs. Called by many sessions' threads at once. */
interface ReceiveListener {
  /** The peer proved to be a sender; false sends it away. */
  default boolean admit(InetSocketAddress remote) {
    return true;
  }

  /** A sender was told to go, for there is no room for it. */
  default void onSentAway(InetSocketAddress remote, String why) {}

  /** A file is under its final name. */
  default void onReceived(InetSocketAddress remote, Frame.Offer offer, String sha256) {}

  /** A file was refused or broke. */
  default void onFailed(
      InetSocketAddress remote, Frame.Offer offer, Refusal refusal, String reason) {}

  /** That much content arrived. */
  default void onContent(long bytes) {}
}

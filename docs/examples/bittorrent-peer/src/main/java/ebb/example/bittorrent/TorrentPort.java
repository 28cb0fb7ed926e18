package ebb.example.bittorrent;

import ebb.ledbat.connection.ConnectionStats;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/** What an application asks of a {@link PeerComponent} and hears from it. */
public final class TorrentPort extends PortType {
  {
    request(Join.class);
    request(Leave.class);
    indication(Listening.class);
    indication(CannotListen.class);
    indication(PeerJoined.class);
    indication(PieceVerified.class);
    indication(Complete.class);
    indication(PeerLeft.class);
  }

  /** Connects to a peer. */
  public record Join(InetSocketAddress peer) implements KompicsEvent {}

  /** Closes all connections in order and takes no more. */
  public record Leave() implements KompicsEvent {}

  /** Peers can connect to this address. */
  public record Listening(InetSocketAddress local) implements KompicsEvent {}

  /** The address could not be bound. */
  public record CannotListen(String reason) implements KompicsEvent {}

  /** A peer has shaken hands. */
  public record PeerJoined(InetSocketAddress peer) implements KompicsEvent {}

  /** A piece came and is the right one. */
  public record PieceVerified(int piece, int remaining) implements KompicsEvent {}

  /** All pieces are there; comes once, also when they were there from the start. */
  public record Complete() implements KompicsEvent {}

  /**
   * A connection ended, or could not be made.
   *
   * @param reason one line
   * @param inOrder whether both sides finished
   * @param worthRetrying whether nothing speaks against connecting again
   * @param stats null when there was no connection
   */
  public record PeerLeft(
      InetSocketAddress peer,
      String reason,
      boolean inOrder,
      boolean worthRetrying,
      @Nullable ConnectionStats stats)
      implements KompicsEvent {}
}

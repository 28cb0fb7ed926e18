package ebb.ledbat.kompics;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/**
 * An application's own datagrams on the socket of an {@link EbbNetwork}: other protocols, a DHT for
 * instance, behind the same port number. They are sent once and as they are; no key protects them.
 * A datagram is the application's unless it begins as uTP does (low four bits of the first byte 1,
 * high four at most 4) or with {@code eb}.
 */
public final class Datagrams extends PortType {
  {
    request(Send.class);
    indication(Received.class);
    indication(NotSent.class);
  }

  /**
   * Sends one. Those of more than 1,200 bytes may be fragmented by IP.
   *
   * @param bytes what remains of it, 1 to 65,507; not changed afterwards
   */
  public record Send(InetSocketAddress to, ByteBuffer bytes) implements KompicsEvent {}

  /** One came, read-only; anybody may have sent it, and may have forged where from. */
  public record Received(InetSocketAddress from, ByteBuffer bytes) implements KompicsEvent {}

  /** One could not be sent; {@code reason} is one line. */
  public record NotSent(Send datagram, String reason) implements KompicsEvent {}
}

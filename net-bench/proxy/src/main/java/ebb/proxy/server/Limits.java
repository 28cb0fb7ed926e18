package ebb.proxy.server;

import ebb.core.process.Descriptors;

/**
 * What a proxy lets others take. Only caps are here; rates are rules.
 *
 * @param connections from clients at once, each with its connection to a server
 * @param headerMicros from the first byte that is awaited to the last of a request's header
 * @param connectMicros to look up a name and to connect to one of its addresses
 * @param idleMicros without a byte in either direction
 * @param halfClosedMicros the same once one of the sides has ended
 * @param lookups of names at once
 */
public record Limits(
    int connections,
    long headerMicros,
    long connectMicros,
    long idleMicros,
    long halfClosedMicros,
    int lookups) {
  public static final int CONNECTIONS = 1_024;

  /** Clients over the limit that may still be told so. */
  public static final int TURNED_AWAY_AT_ONCE = 64;

  public static final long HEADER_MICROS = 15_000_000;
  public static final long CONNECT_MICROS = 30_000_000;
  public static final long IDLE_MICROS = 3_600_000_000L;

  /**
   * A client that has said all may wait for its answer; one that is gone looks the same until
   * something is sent to it.
   */
  public static final long HALF_CLOSED_MICROS = 300_000_000;

  public static final int LOOKUPS = 16;

  /** Look-ups that wait for one of those. */
  public static final int LOOKUPS_WAITING = 256;

  /** A request's header, without its first line and the ends of lines. */
  public static final int HEADER_BYTES = 16_384;

  /** A request's first line. */
  public static final int LINE_BYTES = 8_192;

  /** What SOCKS can say, and longer than DNS allows. */
  public static final int NAME_BYTES = 255;

  /** Requests that a client sends before the first is answered. */
  public static final int PIPELINED_REQUESTS = 32;

  /** All that is read and not yet written, over all connections. */
  public static final int BUFFER_BYTES = 48 << 20;

  /** Hosts of which the use is kept; the others are added up. */
  public static final int HOSTS = 1_000;

  /** For files, name look-ups and the listening sockets. */
  private static final int RESERVED_DESCRIPTORS = 64;

  /** As many connections as there are descriptors for, and no more than asked for. */
  public static Limits defaults(int connections) {
    // A client, a server, and a second try of another of its addresses.
    int sockets = 3 * (connections + TURNED_AWAY_AT_ONCE);
    int places = Descriptors.atMost(sockets, RESERVED_DESCRIPTORS) / 3;
    int most = places == sockets / 3 ? connections : Math.max(1, places - TURNED_AWAY_AT_ONCE / 3);
    return new Limits(
        Math.min(connections, most),
        HEADER_MICROS,
        CONNECT_MICROS,
        IDLE_MICROS,
        HALF_CLOSED_MICROS,
        LOOKUPS);
  }
}

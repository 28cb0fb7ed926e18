package ebb.testkit.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Address translation as home routers do it, by the words of RFC 4787 (and, before it, RFC 3489):
 * which outside port a host's datagrams get, and whose datagrams come back in. Owns the mappings
 * and their time-outs; moves no datagrams itself. Sans-IO; not thread-safe.
 */
public final class Nat {
  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 65_000;

  /** How it maps and filters. */
  public enum Kind {
    /** One outside port for each inside one, open to everybody. */
    FULL_CONE,
    /** One outside port for each inside one, open to addresses that were sent to. */
    ADDRESS_RESTRICTED,
    /** One outside port for each inside one, open to addresses and ports that were sent to. */
    PORT_RESTRICTED,
    /** An outside port for each inside one and each destination, open to that one alone. */
    SYMMETRIC
  }

  private record Inside(InetSocketAddress host, @Nullable InetSocketAddress to) {}

  /** One outside port. */
  private static final class Mapping {
    final InetSocketAddress host;
    final InetSocketAddress outside;
    private final Map<InetSocketAddress, Long> contacts = new HashMap<>();
    private long usedMicros;

    Mapping(InetSocketAddress host, InetSocketAddress outside) {
      this.host = host;
      this.outside = outside;
    }
  }

  private final Kind kind;
  private final InetAddress outside;
  private final boolean hairpin;
  private final long timeoutMicros;
  private final Map<Inside, Mapping> byInside = new HashMap<>();
  private final Map<Integer, Mapping> byPort = new HashMap<>();
  private int nextPort = FIRST_PORT;

  /**
   * A router.
   *
   * @param outside the address that others see
   * @param hairpin whether hosts behind it reach each other by that address
   * @param timeoutMicros after how long without an outgoing datagram a mapping is forgotten
   */
  public Nat(Kind kind, InetAddress outside, boolean hairpin, long timeoutMicros) {
    this.kind = kind;
    this.outside = outside;
    this.hairpin = hairpin;
    this.timeoutMicros = timeoutMicros;
  }

  /** The address that others see. */
  public InetAddress outside() {
    return outside;
  }

  /** Whether hosts behind it reach each other by its outside address. */
  public boolean hairpins() {
    return hairpin;
  }

  /** A host behind it sends a datagram; returns the source that it has outside. */
  public InetSocketAddress outbound(InetSocketAddress host, InetSocketAddress to, long nowMicros) {
    Inside key = new Inside(host, kind == Kind.SYMMETRIC ? to : null);
    Mapping mapping = byInside.get(key);
    if (mapping == null || isForgotten(mapping, nowMicros)) {
      if (mapping != null) {
        byPort.remove(mapping.outside.getPort());
      }
      mapping = new Mapping(host, new InetSocketAddress(outside, freePort()));
      byInside.put(key, mapping);
      byPort.put(mapping.outside.getPort(), mapping);
    }
    mapping.usedMicros = nowMicros;
    mapping.contacts.put(to, nowMicros);
    return mapping.outside;
  }

  /**
   * A datagram comes from outside.
   *
   * @param from its source
   * @param to its destination, of this router
   * @return the host that gets it; null when nobody does
   */
  public @Nullable InetSocketAddress inbound(
      InetSocketAddress from, InetSocketAddress to, long nowMicros) {
    Mapping mapping = byPort.get(to.getPort());
    if (mapping == null || isForgotten(mapping, nowMicros)) {
      return null;
    }
    boolean known =
        mapping.contacts.entrySet().stream()
            .anyMatch(
                contact ->
                    nowMicros - contact.getValue() < timeoutMicros
                        && isSame(contact.getKey(), from));
    return kind == Kind.FULL_CONE || known ? mapping.host : null;
  }

  private boolean isSame(InetSocketAddress contact, InetSocketAddress from) {
    return kind == Kind.ADDRESS_RESTRICTED
        ? contact.getAddress().equals(from.getAddress())
        : contact.equals(from);
  }

  private boolean isForgotten(Mapping mapping, long nowMicros) {
    return nowMicros - mapping.usedMicros >= timeoutMicros;
  }

  private int freePort() {
    do {
      nextPort = nextPort >= LAST_PORT ? FIRST_PORT : nextPort + 1;
    } while (byPort.containsKey(nextPort));
    return nextPort;
  }

  /** Forgets everything, as when it was switched off and on; ports are others from then on. */
  public void forgetAll() {
    byInside.clear();
    byPort.clear();
  }
}

package ebb.core.kompics;

import java.util.Objects;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.Transport;

/**
 * From where, to where and how a message goes. Immutable.
 *
 * @param source who sends it
 * @param destination who gets it
 * @param transport what carries it
 */
public record EbbHeader(EbbAddress source, EbbAddress destination, Transport transport)
    implements Header<EbbAddress> {
  /** Checks that nothing is missing. */
  public EbbHeader {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(transport, "transport");
  }

  /** The way back, by the same transport. */
  public EbbHeader reply() {
    return reply(transport);
  }

  /** The way back, by another transport. */
  public EbbHeader reply(Transport by) {
    return new EbbHeader(/* source= */ destination, /* destination= */ source, by);
  }

  /** The same way by another transport. */
  public EbbHeader by(Transport other) {
    return new EbbHeader(source, destination, other);
  }

  @Override
  public EbbAddress getSource() {
    return source;
  }

  @Override
  public EbbAddress getDestination() {
    return destination;
  }

  @Override
  public Transport getProtocol() {
    return transport;
  }

  @Override
  public String toString() {
    return source + " -> " + destination + " by " + transport;
  }
}

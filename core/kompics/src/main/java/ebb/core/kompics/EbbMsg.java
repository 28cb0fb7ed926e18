package ebb.core.kompics;

import java.util.Objects;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Transport;

/**
 * What Ebb's messages have in common: a header. A subclass is immutable (Kompics hands one object
 * to many components, and a network may serialise it later than it was sent), is not {@link
 * java.io.Serializable}, and has an {@link EbbSerializer}.
 */
public abstract class EbbMsg implements Msg<EbbAddress, EbbHeader> {
  private final EbbHeader header;

  protected EbbMsg(EbbHeader header) {
    this.header = Objects.requireNonNull(header, "header");
  }

  @Override
  public final EbbHeader getHeader() {
    return header;
  }

  @Override
  @Deprecated
  public final EbbAddress getSource() {
    return header.source();
  }

  @Override
  @Deprecated
  public final EbbAddress getDestination() {
    return header.destination();
  }

  @Override
  @Deprecated
  public final Transport getProtocol() {
    return header.transport();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + header + ")";
  }
}

package ebb.ledbat.kompics;

import se.sics.kompics.network.Address;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Transport;

/**
 * One uTP datagram as a message of another network, for an engine that is stacked on it.
 *
 * @param source where it comes from
 * @param destination where it goes
 * @param payload the datagram's bytes, never changed
 */
@SuppressWarnings("ArrayRecordComponent") // Identity is fine: datagrams are never compared.
record UtpDatagram(Address source, Address destination, byte[] payload)
    implements Msg<Address, Header<Address>>, Header<Address> {
  @Override
  public Header<Address> getHeader() {
    return this;
  }

  @Override
  @SuppressWarnings("deprecation") // Both interfaces declare it; Header's is current.
  public Address getSource() {
    return source;
  }

  @Override
  @SuppressWarnings("deprecation") // Both interfaces declare it; Header's is current.
  public Address getDestination() {
    return destination;
  }

  @Override
  @SuppressWarnings("deprecation") // Both interfaces declare it; Header's is current.
  public Transport getProtocol() {
    return Transport.UDP;
  }

  @Override
  public String toString() {
    return "UtpDatagram(" + source + " -> " + destination + ", " + payload.length + " bytes)";
  }
}

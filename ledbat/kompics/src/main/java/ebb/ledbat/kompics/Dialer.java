package ebb.ledbat.kompics;

import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.net.InetSocketAddress;

/** Opens connections; {@code LedbatEndpoint::connect}, or {@link DriverSlot#connect}. */
@FunctionalInterface
interface Dialer {
  LedbatConnection connect(InetSocketAddress remote, ConnectionListener listener, long nowMicros);
}

package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.test.NetworkGenerator;
import se.sics.kompics.network.test.NetworkTest;

/**
 * Kompics' own conformance suite for network components. Its "fake nodes" are addresses outside of
 * this machine; sockets bound to loopback cannot send there, so nothing leaves.
 */
class LedbatNetworkConformanceTest {
  private static final Transport[] LEDBAT = {Transport.LEDBAT};

  private static final NetworkGenerator GENERATOR =
      (parent, self) ->
          parent.create(
              LedbatNetwork.class,
              new LedbatNetwork.Init(
                  self,
                  LedbatConfig.defaults().toBuilder().connectTimeoutMicros(3_000_000).build(),
                  DriverFactory.netty(),
                  new UnpredictableRandom()));

  @BeforeAll
  static void registerMessages() {
    ConformanceSerializers.register();
  }

  @Test
  void twoNodesDeliverEverythingAndRecoverFromFaults() {
    NetworkTest.runTests(GENERATOR, 2, LEDBAT);
  }

  @Test
  void fiveNodesDeliverEverythingAndRecoverFromFaults() {
    NetworkTest.runTests(GENERATOR, 5, LEDBAT);
  }

  @Test
  void aPortThatCannotBeBoundIsAFault() throws IOException {
    // The suite tries port 80, which a privileged user could bind if nobody held it.
    try (DatagramSocket held = holdPort80()) {
      assertThat(held == null || held.isBound()).isTrue();
      NetworkTest.runPBTest(GENERATOR, 2);
    }
  }

  private static @Nullable DatagramSocket holdPort80() throws IOException {
    try {
      return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
    } catch (java.net.BindException e) {
      return null; // not permitted or held already: the suite finds it so too
    }
  }

  @Test
  void connectionsThatCannotBeMadeAreToldAsDropped() {
    NetworkTest.runDCTest(GENERATOR, 2, LEDBAT);
  }
}

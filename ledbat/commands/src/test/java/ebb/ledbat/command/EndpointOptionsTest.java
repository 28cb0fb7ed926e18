package ebb.ledbat.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import ebb.ledbat.config.LedbatConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EndpointOptionsTest {
  private static final InetSocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

  private static int maxDatagram(@Nullable Integer mtu, @Nullable InetSocketAddress remote) {
    EndpointOptions options = new EndpointOptions();
    options.mtu = mtu;
    return options.config(remote, null, more -> {}).maxDatagramBytes();
  }

  @Test
  void jumboFramesAreProbedWhereTheInterfaceHasThem() throws Exception {
    int mtu = NetworkInterface.getByInetAddress(HERE.getAddress()).getMTU();
    assertThat(RouteMtu.towards(HERE)).isEqualTo(mtu);
    assumeThat(mtu).isGreaterThan(9_000);
    assertThat(maxDatagram(null, HERE)).isEqualTo(9_000 - 48);
  }

  @Test
  void whatWasAskedForHolds() {
    assertThat(maxDatagram(1_400, HERE)).isEqualTo(1_400 - 48);
  }

  @Test
  void withoutAPeerOrARouteItIsAsEver() {
    InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 9);
    assertThat(RouteMtu.towards(nowhere)).isZero();
    assertThat(maxDatagram(null, nowhere)).isEqualTo(LedbatConfig.DEFAULT_MAX_DATAGRAM_BYTES);
    assertThat(maxDatagram(null, null)).isEqualTo(LedbatConfig.DEFAULT_MAX_DATAGRAM_BYTES);
  }

  @Test
  void onlyWhoHasNoPeerYetAccepts() {
    EndpointOptions options = new EndpointOptions();
    assertThat(options.config(null, null, more -> {}).accepting()).isTrue();
    assertThat(options.config(HERE, null, more -> {}).accepting()).isFalse();
  }
}

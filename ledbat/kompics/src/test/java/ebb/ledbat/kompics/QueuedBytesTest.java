package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class QueuedBytesTest {
  private final QueuedBytes queued = new QueuedBytes(1_000);

  private static InetAddress address(String literal) throws Exception {
    return InetAddress.getByName(literal);
  }

  private int fill(String literal) throws Exception {
    int taken = 0;
    while (queued.take(address(literal), 10)) {
      taken += 10;
    }
    return taken;
  }

  @Test
  void eachAddressGetsHalfOfWhatTheOthersLeave() throws Exception {
    assertThat(fill("192.0.2.1")).isEqualTo(500);
    assertThat(fill("192.0.2.2")).isEqualTo(250);
    assertThat(fill("192.0.2.3")).isEqualTo(120);
  }

  @Test
  void addressesOfOneIpv6NetworkCountAsOne() throws Exception {
    assertThat(fill("2001:db8::1")).isEqualTo(500);
    assertThat(fill("2001:db8::2")).isZero();
    assertThat(fill("2001:db8:0:1::1")).isEqualTo(250);
  }

  @Test
  void whatIsGivenBackIsThereAgain() throws Exception {
    fill("192.0.2.1");
    for (int i = 0; i < 50; i++) {
      queued.give(address("192.0.2.1"), 10);
    }
    assertThat(fill("192.0.2.2")).isEqualTo(500);
  }
}

package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Whether who chooses addresses, ports and ids chooses places in the table. */
class ConnectionTableTest {
  private static final int CONNECTIONS = 10_000;

  /** The table is at most half full. */
  private static final int PLACES = 1 << 15;

  private record Name(InetSocketAddress remote, int receiveId) {}

  /** Connections at the most crowded place; 10,000 in 32,768 at random give 4 to 6. */
  private static int mostAtOnePlace(IntFunction<Name> names) {
    int most = 0;
    for (long key : new SplittableRandom(1).longs(5).toArray()) {
      int[] places = new int[PLACES];
      for (int i = 0; i < CONNECTIONS; i++) {
        Name name = names.apply(i);
        int place = (int) ConnectionTable.hash(key, name.remote, name.receiveId) & (PLACES - 1);
        most = Math.max(most, ++places[place]);
      }
    }
    return most;
  }

  @Test
  void idsAndPortsThatCancelEachOtherDoNotMeet() throws Exception {
    InetAddress host = InetAddress.getByName("10.0.0.1");
    // Were the hash 31 * (address + port) + id, thousands would be one.
    assertThat(
            mostAtOnePlace(
                i -> new Name(new InetSocketAddress(host, 1 + i), 65_535 - 31 * i & 0xffff)))
        .isLessThanOrEqualTo(8);
    assertThat(mostAtOnePlace(i -> new Name(new InetSocketAddress(host, 1 + i), 40_000 - i)))
        .isLessThanOrEqualTo(8);
    assertThat(mostAtOnePlace(i -> new Name(new InetSocketAddress(host, 9), i)))
        .isLessThanOrEqualTo(8);
  }

  @Test
  void ipv6AddressesOfOneHashCodeDoNotMeet() {
    InetSocketAddress first = ipv6(0);
    assertThat(ipv6(CONNECTIONS - 1).hashCode()).isEqualTo(first.hashCode());
    assertThat(mostAtOnePlace(i -> new Name(ipv6(i), 7))).isLessThanOrEqualTo(8);
  }

  /** The last two words add up to the same. */
  private static InetSocketAddress ipv6(int i) {
    byte[] bytes = new byte[16];
    bytes[0] = 0x20;
    bytes[10] = (byte) (i >>> 8);
    bytes[11] = (byte) i;
    bytes[14] = (byte) (0xffff - i >>> 8);
    bytes[15] = (byte) (0xffff - i);
    try {
      return new InetSocketAddress(Inet6Address.getByAddress("", bytes, -1), 1_000);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void theSecretDecidesWhoMeets() throws Exception {
    InetSocketAddress remote = new InetSocketAddress(InetAddress.getByName("10.0.0.1"), 9);
    int together = 0;
    int still = 0;
    for (int id = 1; id < CONNECTIONS; id++) {
      if ((ConnectionTable.hash(1, remote, 0) - ConnectionTable.hash(1, remote, id)) % 64 == 0) {
        together++;
        if ((ConnectionTable.hash(2, remote, 0) - ConnectionTable.hash(2, remote, id)) % 64 == 0) {
          still++;
        }
      }
    }
    assertThat(together).as("of 9,999, a 64th is 156").isBetween(100, 220);
    assertThat(still).as("a 64th of them").isLessThanOrEqualTo(12);
  }
}

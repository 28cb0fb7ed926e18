package ebb.vm.plan;

import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import java.util.List;

/**
 * What each VM of a run measures to each other one.
 *
 * @param protocols of tcp, udp and ledbat
 * @param time of each run
 * @param udpRates what UDP sends, one after the other
 * @param addresses of {@code internal} and {@code external}, by which they are reached
 * @param port of the servers, TCP and UDP; plain UDP has the next one
 * @param roundTrips messages that are sent and answered one by one, for their times; 0 for none
 * @param repeat how often all of it is done
 */
public record NetPart(
    List<String> protocols,
    Micros time,
    List<BitRate> udpRates,
    List<String> addresses,
    int port,
    int roundTrips,
    int repeat) {
  /** RFC 6817 is LEDBAT; what {@code ebb net server} listens on unless it is told otherwise. */
  public static final int DEFAULT_PORT = 6817;

  static final String INTERNAL = "internal";
  static final String EXTERNAL = "external";

  public NetPart {
    protocols = List.copyOf(protocols);
    udpRates = List.copyOf(udpRates);
    addresses = List.copyOf(addresses);
  }

  /** Whether any VM is reached from outside of its network. */
  public boolean external() {
    return addresses.contains(EXTERNAL);
  }

  /** Whether any VM is reached by its internal address. */
  public boolean internal() {
    return addresses.contains(INTERNAL);
  }

  /** Rounded up. */
  public long timeSeconds() {
    return Math.max(1, (time.micros() + 999_999) / 1_000_000);
  }
}

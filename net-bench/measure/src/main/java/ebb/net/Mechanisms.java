package ebb.net;

import ebb.net.ledbat.LedbatMechanism;
import ebb.net.mechanism.Mechanism;
import ebb.net.tcp.TcpMechanism;
import ebb.net.udp.UdpMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/** The protocols that {@code ebb net} measures by: its own, and those that are installed. */
public final class Mechanisms {
  /** One line each. */
  private static final List<Mechanism> OWN =
      List.of(
          new TcpMechanism(), //
          new UdpMechanism(),
          new LedbatMechanism());

  private static final List<Mechanism> ALL = all(ServiceLoader.load(Mechanism.class));

  private Mechanisms() {}

  private static List<Mechanism> all(Iterable<Mechanism> installed) {
    List<Mechanism> all = new ArrayList<>(OWN);
    for (Mechanism other : installed) {
      if (all.stream().anyMatch(known -> known.name().equals(other.name()))) {
        throw new IllegalStateException("two protocols are named " + other.name());
      }
      all.add(other);
    }
    return List.copyOf(all);
  }

  /** All, Ebb's own first. */
  public static List<Mechanism> all() {
    return ALL;
  }

  /** By its name, in whichever case. */
  public static Optional<Mechanism> find(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return ALL.stream().filter(known -> known.name().equals(lower)).findFirst();
  }

  /**
   * By its name.
   *
   * @throws IllegalArgumentException with one line when there is none
   */
  public static Mechanism get(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a protocol is one of "
                        + String.join(", ", ALL.stream().map(Mechanism::name).toList())
                        + ": "
                        + name));
  }
}

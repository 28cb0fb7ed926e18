package ebb.net.mechanism;

import ebb.net.control.TestSpec;
import java.util.Optional;

/** The type of service of a test's packets, which is one of its spec's parameters. */
public final class ServiceMark {
  private static final String PARAMETER = "tos";

  private ServiceMark() {}

  /** Asks for it; 0 to 255. */
  public static void put(TestSpec.Builder spec, int tos) {
    spec.parameter(PARAMETER, tos);
  }

  /** What the packets of both ends are to have; none for the system's own. */
  public static Optional<Integer> of(TestSpec spec) {
    return Optional.ofNullable(spec.parameters().get(PARAMETER)).map(tos -> (int) (tos & 0xFF));
  }
}

package ebb.selfbench;

import java.util.ArrayList;
import java.util.List;

/**
 * How one side of a path is started. A receiver says {@code PORT number}; a sender is given the
 * receiver's address and port as its last two arguments and says {@code CONNECTED} when data flows.
 * Both answer marks.
 */
@FunctionalInterface
interface Side {
  Child start(Place place, List<String> peer);

  /** A class with a main method: address to bind, {@code arguments}, peer. */
  static Side jvm(Class<?> mainClass, String... arguments) {
    return (place, peer) -> {
      List<String> all = new ArrayList<>();
      all.add(place.address());
      all.addAll(List.of(arguments));
      all.addAll(peer);
      return new ChildJvm(place.prefix(), mainClass, all);
    };
  }
}

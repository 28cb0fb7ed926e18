package ebb.ledbat.netty;

import io.netty.channel.epoll.Epoll;
import org.jspecify.annotations.Nullable;

/**
 * Whether {@link NativeEpoll} may be touched: Netty's epoll is an optional dependency, and without
 * it that class does not load.
 */
final class EpollPresence {
  private static final String MISSING = "netty-transport-native-epoll is not on the class path";

  private EpollPresence() {}

  /** Why there is no epoll in this JVM, in a few words; null when there is. */
  static @Nullable String unavailability() {
    try {
      if (Epoll.isAvailable()) {
        return null;
      }
      Throwable cause = Epoll.unavailabilityCause();
      return cause == null ? "not available" : String.valueOf(cause.getMessage());
    } catch (NoClassDefFoundError missing) {
      return MISSING;
    }
  }
}

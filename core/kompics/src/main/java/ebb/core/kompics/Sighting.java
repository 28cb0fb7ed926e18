package ebb.core.kompics;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the sender of the message that this thread reads is seen, when that is not where it says it
 * is: behind address translation for instance. Owned by {@link EbbSerializers}, asked by {@link
 * Wire}.
 */
final class Sighting {
  private static final ThreadLocal<@Nullable Sighting> CURRENT = new ThreadLocal<>();

  private final @Nullable InetSocketAddress announced;
  private final InetSocketAddress seen;

  /**
   * @param announced what the sender calls itself; null when every source is the sender's own
   */
  Sighting(@Nullable InetSocketAddress announced, InetSocketAddress seen) {
    this.announced = announced;
    this.seen = seen;
  }

  /** What the messages that are read from here on are said to come from; null for nothing. */
  static void set(@Nullable Sighting sighting) {
    if (sighting == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(sighting);
    }
  }

  /** The address to show for a source. */
  static InetSocketAddress of(InetSocketAddress source) {
    Sighting current = CURRENT.get();
    boolean itself =
        current != null && (current.announced == null || current.announced.equals(source));
    return itself && current != null ? current.seen : source;
  }
}

package ebb.core.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * File descriptors, of which a process has a limited number ({@code ulimit -n}): each socket and
 * open file takes one. It knows the limit; it opens and closes nothing.
 */
public final class Descriptors {
  private Descriptors() {}

  /**
   * How many more this process should take for one purpose.
   *
   * @param wanted where there is no limit
   * @param reserve left for everything else
   * @return at least 1
   */
  public static int atMost(int wanted, int reserve) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? atMost(
            wanted, reserve, unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount())
        : wanted;
  }

  /** The same for a process with this limit, of which so many are open. */
  static int atMost(int wanted, int reserve, long limit, long open) {
    return limit <= 0 ? wanted : (int) Math.max(1, Math.min(wanted, limit - open - reserve));
  }
}

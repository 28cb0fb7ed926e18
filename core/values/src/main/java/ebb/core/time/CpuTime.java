package ebb.core.time;

import java.lang.management.ManagementFactory;

/** CPU time of this process. */
public final class CpuTime {
  private CpuTime() {}

  /** Nanoseconds of all threads, the compiler's and the collector's included; 0 if unknown. */
  public static long nanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? Math.max(0, os.getProcessCpuTime())
        : 0;
  }
}

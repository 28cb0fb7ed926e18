package ebb.net.yield;

import ebb.net.tcp.TcpCongestion;

/**
 * What is to be measured.
 *
 * @param yielder which flow is to yield, and which way all bytes go
 * @param controller LEDBAT's congestion controller by name, at the end that yields
 * @param tcp the kernel's congestion control by name, or "default"
 * @param first who is on the link when they meet
 * @param tcpAloneMicros how long TCP runs alone, before
 * @param aloneMicros how long LEDBAT runs alone
 * @param leadMicros with {@link First#TCP}: how long TCP has the link before LEDBAT joins
 * @param contendedMicros how long both run
 * @param afterMicros how long LEDBAT runs on when TCP has left
 */
public record YieldPlan(
    Yielder yielder,
    String controller,
    String tcp,
    First first,
    long tcpAloneMicros,
    long aloneMicros,
    long leadMicros,
    long contendedMicros,
    long afterMicros) {

  /** The shortest phase that can be measured. */
  public static final long MIN_PHASE_MICROS = 1_000_000;

  /** The longest run in all. */
  public static final long MAX_TOTAL_MICROS = 3_600_000_000L;

  /** Who has the link when the other joins. */
  public enum First {
    LEDBAT,
    TCP
  }

  /** Checks the durations; the message of the exception is one line. */
  public YieldPlan {
    require("--alone", aloneMicros, MIN_PHASE_MICROS);
    require("--contended", contendedMicros, MIN_PHASE_MICROS);
    require("--after", afterMicros, MIN_PHASE_MICROS);
    if (first == First.TCP) {
      require("--lead", leadMicros, MIN_PHASE_MICROS);
    }
    long start = first == First.TCP ? leadMicros : 0;
    if (tcpAloneMicros < start + MIN_PHASE_MICROS) {
      throw new IllegalArgumentException(
          "--tcp-alone must be at least "
              + (start + MIN_PHASE_MICROS) / 1e6
              + " s, so that TCP can be compared to itself at the same age");
    }
    if (totalMicros(tcpAloneMicros, aloneMicros, leadMicros, contendedMicros, afterMicros)
        > MAX_TOTAL_MICROS) {
      throw new IllegalArgumentException("all phases together may take an hour at most");
    }
  }

  /**
   * The same with another flow that is to yield. Of a download the server's kernel chooses TCP's
   * congestion control, and of TCP that yields there is no controller to choose.
   */
  public YieldPlan by(Yielder other) {
    return new YieldPlan(
        other,
        other == Yielder.TCP_RECEIVER ? "receiver" : controller,
        other.download() ? TcpCongestion.KERNELS_OWN : tcp,
        first,
        tcpAloneMicros,
        aloneMicros,
        leadMicros,
        contendedMicros,
        afterMicros);
  }

  /** All phases, without what lies between them. */
  long totalMicros() {
    return (long)
        totalMicros(tcpAloneMicros, aloneMicros, leadMicros, contendedMicros, afterMicros);
  }

  boolean download() {
    return yielder.download();
  }

  private static void require(String option, long micros, long least) {
    if (micros < least) {
      throw new IllegalArgumentException(option + " must be at least " + least / 1e6 + " s");
    }
  }

  private static double totalMicros(long... parts) {
    double total = 0;
    for (long part : parts) {
      total += part;
    }
    return total;
  }
}

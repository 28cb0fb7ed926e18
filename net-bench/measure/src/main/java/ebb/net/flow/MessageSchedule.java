package ebb.net.flow;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;

/**
 * Which messages a sender sends, and when: their sizes, the amount, the pace. It sends nothing
 * itself. Not thread-safe.
 *
 * <p>The pace is a plan made at the start and never moved: a sender that falls behind is still
 * measured against it, so that waiting is not left out of the latencies (coordinated omission).
 */
public final class MessageSchedule {
  /** A stream makes up for no more than this. */
  private static final int MAX_BEHIND_MICROS = 100_000;

  /** Messages further apart than this are sent one by one, each at its time. */
  private static final int SINGLE_MICROS = 500;

  /** Nearer ones are gathered for so long; it is iperf3's pacing timer. */
  private static final int QUANTUM_MICROS = 1_000;

  private final TestSpec spec;
  private final long quantumMicros;
  private final double bytesPerMicro;
  private final long longestTurnMicros;
  private long startMicros;
  private long turnMicros;
  private long dueMicros;
  private long plannedBytes;
  private long sentBytes;
  private long sentMessages;
  private boolean stopped;

  public MessageSchedule(TestSpec spec) {
    this.spec = spec;
    quantumMicros = quantumMicros(spec);
    bytesPerMicro = spec.bitsPerSecond() / 8e6;
    longestTurnMicros =
        spec.bitsPerSecond() == 0
            ? 0
            : Math.max(2 * QUANTUM_MICROS, (long) (spec.messageBytes() / bytesPerMicro));
  }

  /**
   * How long a stream's messages are gathered before those that are due go together; 0 when each
   * goes at its own time, or when there is no pace. A timer for each message would cost more than
   * sending it.
   */
  public static long quantumMicros(TestSpec spec) {
    return spec.mode() == Mode.STREAMING
            && spec.bitsPerSecond() > 0
            && spec.messageBytes() * 8e6 / spec.bitsPerSecond() < SINGLE_MICROS
        ? QUANTUM_MICROS
        : 0;
  }

  public void start(long nowMicros) {
    startMicros = nowMicros;
    turnMicros = nowMicros;
    dueMicros = nowMicros;
  }

  /** From now on it is measured: what a stream owes from before is not sent later. */
  public void mark(long nowMicros) {
    if (isPacedStream()) {
      startMicros += Math.max(0, nowMicros - plannedMicros(nowMicros));
      turnMicros = nowMicros;
      dueMicros = nowMicros;
    }
  }

  private boolean isPacedStream() {
    return spec.bitsPerSecond() > 0 && spec.mode() == Mode.STREAMING;
  }

  /** There will be no further message. */
  public void stop() {
    stopped = true;
  }

  public boolean exhausted() {
    return stopped || (spec.amountBytes() > 0 && sentBytes >= spec.amountBytes());
  }

  /** Of the next message: less than the others when the amount asks for it. */
  public int nextBytes() {
    return spec.amountBytes() == 0
        ? spec.messageBytes()
        : (int) Math.min(spec.messageBytes(), spec.amountBytes() - sentBytes);
  }

  /** When the next message is planned for; {@code nowMicros} when there is no pace. */
  public long plannedMicros(long nowMicros) {
    return spec.bitsPerSecond() == 0
        ? nowMicros
        : startMicros + (long) (plannedBytes * 8e6 / spec.bitsPerSecond());
  }

  /** How long the next message has to wait; 0 when it is due. */
  public long waitMicros(long nowMicros) {
    return Math.max(0, plannedMicros(nowMicros) - nowMicros);
  }

  /** After how long to look again when the next message is not due: what gathers goes together. */
  public long pauseMicros(long nowMicros) {
    return Math.max(waitMicros(nowMicros), quantumMicros);
  }

  /** The next message has been sent. */
  public void sent(int bytes) {
    sentBytes += bytes;
    plannedBytes += bytes;
    sentMessages++;
  }

  /**
   * Takes messages that are to be sent together: the next one, and in a stream the others that are
   * due and whole within {@code maxBytes}.
   *
   * @return their bytes
   */
  public int take(long nowMicros, int maxBytes) {
    int first = nextBytes();
    sent(first);
    if (spec.mode() != Mode.STREAMING) {
      return first;
    }
    return spec.bitsPerSecond() == 0
        ? first + takeWhole(maxBytes - first)
        : first + takeDue(nowMicros, maxBytes - first);
  }

  /** By arithmetic: a call can carry tens of thousands of small messages. */
  private int takeWhole(int room) {
    long whole = Math.max(0, room) / spec.messageBytes();
    if (spec.amountBytes() > 0) {
      whole = Math.min(whole, (spec.amountBytes() - sentBytes) / spec.messageBytes());
    }
    int bytes = (int) (whole * spec.messageBytes());
    sentBytes += bytes;
    sentMessages += whole;
    return bytes;
  }

  private int takeDue(long dueMicros, int room) {
    int bytes = 0;
    while (!exhausted() && bytes + spec.messageBytes() <= room && waitMicros(dueMicros) == 0) {
      int next = nextBytes();
      sent(next);
      bytes += next;
    }
    return bytes;
  }

  /**
   * Up to which time of the plan messages may go now. A stream that has fallen behind makes up for
   * it, but at no more than twice its pace, so that a pause here is no burst for the path; and what
   * was planned for very long ago is planned for later. To be called at each turn, and only then.
   */
  public long dueMicros(long nowMicros) {
    if (!isPacedStream()) {
      return nowMicros;
    }
    long turn = Math.min(nowMicros - turnMicros, longestTurnMicros);
    turnMicros = nowMicros;
    long earliest = nowMicros - Math.max(MAX_BEHIND_MICROS, longestTurnMicros);
    dueMicros = Math.max(earliest, Math.min(nowMicros, dueMicros + 2 * turn));
    plannedBytes = Math.max(plannedBytes, (long) ((earliest - startMicros) * bytesPerMicro));
    return dueMicros;
  }

  public long sentBytes() {
    return sentBytes;
  }

  public long sentMessages() {
    return sentMessages;
  }
}

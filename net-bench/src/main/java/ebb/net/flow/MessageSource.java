package ebb.net.flow;

import ebb.net.control.TestSpec;

/**
 * Which messages a sender sends, and when: their sizes, the amount, the pace. It sends nothing
 * itself. Not thread-safe.
 *
 * <p>The pace is a plan made at the start and never moved: a sender that falls behind is still
 * measured against it, so that waiting is not left out of the latencies (coordinated omission).
 */
public final class MessageSource {
  /** A sender that has fallen behind sends no more than this at once to catch up. */
  private static final int MAX_BEHIND_MICROS = 100_000;

  private final TestSpec spec;
  private long startMicros;
  private long plannedBytes;
  private long sentBytes;
  private long sentMessages;
  private boolean stopped;

  public MessageSource(TestSpec spec) {
    this.spec = spec;
  }

  public void start(long nowMicros) {
    startMicros = nowMicros;
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

  /** The next message has been sent. */
  public void sent(int bytes) {
    sentBytes += bytes;
    plannedBytes += bytes;
    sentMessages++;
  }

  /**
   * For a sender that could not keep the pace and is not asked to make up for it: what is planned
   * for long ago is planned for later.
   */
  public void forgive(long nowMicros) {
    if (spec.bitsPerSecond() > 0) {
      long due = (long) ((nowMicros - startMicros) * (spec.bitsPerSecond() / 8e6));
      long behind = (long) (MAX_BEHIND_MICROS * (spec.bitsPerSecond() / 8e6));
      plannedBytes = Math.max(plannedBytes, due - Math.max(behind, spec.messageBytes()));
    }
  }

  public long sentBytes() {
    return sentBytes;
  }

  public long sentMessages() {
    return sentMessages;
  }
}

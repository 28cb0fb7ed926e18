package ebb.net.echo;

import ebb.core.stats.LatencyHistogram;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * What became of the echoes of one run: each is sent once, and its answer found by its number. It
 * sends nothing and reads no clock. Memory is bounded: the latest 65,536 can be answered, the first
 * {@link #MAX_KEPT} are kept one by one. Thread-safe; the listener is called on the thread that
 * reports an answer.
 */
public final class EchoLog {
  /** Echoes that are kept one by one, if that was asked for; of the others only sums. */
  public static final int MAX_KEPT = 100_000;

  /** Of an echo that has not been answered. */
  public static final long UNANSWERED = -1;

  private static final int WINDOW = 1 << 16;
  private static final int FIRST_KEPT = 256;

  private final long waitMicros;
  private final boolean keeping;
  private final Consumer<EchoReply> listener;
  private final long[] plannedMicros = new long[WINDOW];
  private final long[] sentMicros = new long[WINDOW];
  private final boolean[] answered = new boolean[WINDOW];
  private long[] keptSent = new long[0];
  private long[] keptRoundTrips = new long[0];
  private final LatencyHistogram roundTrips = new LatencyHistogram();
  private LatencyHistogram interval = new LatencyHistogram();
  private double sumMicros;
  private double sumOfSquares;
  private long transmitted;
  private long received;
  private long waitedFor;
  private long lost;
  private long late;
  private long duplicates;
  private long reordered;
  private long corrupt;
  private long highestAnswered = -1;
  private long firstMicros;

  /**
   * None so far.
   *
   * @param waitMicros for an answer, before its echo counts as lost
   * @param keeping whether to keep the first ones one by one
   * @param listener hears of every answer
   */
  public EchoLog(long waitMicros, boolean keeping, Consumer<EchoReply> listener) {
    this.waitMicros = waitMicros;
    this.keeping = keeping;
    this.listener = listener;
  }

  /** How long an answer is waited for. */
  public long waitMicros() {
    return waitMicros;
  }

  /**
   * The next echo goes.
   *
   * @return its number
   */
  public synchronized long onSent(long planned, long now) {
    long number = transmitted++;
    if (number >= WINDOW && number - WINDOW >= waitedFor) {
      // Its place is needed: nobody can answer it any more.
      giveUp(waitedFor++);
    }
    firstMicros = number == 0 ? now : firstMicros;
    int at = index(number);
    plannedMicros[at] = planned;
    sentMicros[at] = now;
    answered[at] = false;
    keep(number, now);
    onTime(now);
    return number;
  }

  private void keep(long number, long now) {
    if (!keeping || number >= MAX_KEPT) {
      return;
    }
    if (number >= keptSent.length) {
      int length = Math.min(MAX_KEPT, Math.max(FIRST_KEPT, 2 * keptSent.length));
      keptSent = Arrays.copyOf(keptSent, length);
      keptRoundTrips = Arrays.copyOf(keptRoundTrips, length);
    }
    keptSent[(int) number] = now;
    keptRoundTrips[(int) number] = UNANSWERED;
  }

  /** Time has passed: what has not been answered within the wait is lost. */
  public synchronized void onTime(long now) {
    while (waitedFor < transmitted
        && (answered[index(waitedFor)] || now - sentMicros[index(waitedFor)] > waitMicros)) {
      giveUp(waitedFor++);
    }
  }

  private void giveUp(long number) {
    if (!answered[index(number)]) {
      lost++;
    }
  }

  /** No answer is waited for any more. */
  public synchronized void onEnd() {
    while (waitedFor < transmitted) {
      giveUp(waitedFor++);
    }
  }

  /**
   * An answer came.
   *
   * @param peer when its echo was there, by the server's clock
   * @return whether it can be one of an echo that was sent and is remembered
   */
  public boolean onAnswer(long number, long peer, long now) {
    EchoReply reply;
    synchronized (this) {
      if (number < 0 || number >= transmitted || number < transmitted - WINDOW) {
        return false;
      }
      int at = index(number);
      boolean again = answered[at];
      boolean tooLate = !again && number < waitedFor;
      boolean overtaken = !again && number < highestAnswered;
      reply =
          new EchoReply(
              number, plannedMicros[at], sentMicros[at], now, peer, tooLate, again, overtaken);
      count(reply);
      answered[at] = true;
    }
    listener.accept(reply);
    return true;
  }

  private void count(EchoReply reply) {
    if (reply.duplicate()) {
      duplicates++;
      return;
    }
    long micros = reply.roundTripMicros();
    received++;
    late += reply.late() ? 1 : 0;
    lost -= reply.late() ? 1 : 0;
    reordered += reply.reordered() ? 1 : 0;
    highestAnswered = Math.max(highestAnswered, reply.number());
    roundTrips.recordMicros(micros);
    interval.recordMicros(micros);
    sumMicros += micros;
    sumOfSquares += (double) micros * micros;
    if (keeping && reply.number() < MAX_KEPT) {
      keptRoundTrips[(int) reply.number()] = micros;
    }
  }

  /** An answer did not hold the bytes that were sent. */
  public synchronized void onCorrupt() {
    corrupt++;
  }

  /** From the first echo to the latest. */
  public synchronized long spanMicros() {
    return transmitted == 0 ? 0 : sentMicros[index(transmitted - 1)] - firstMicros;
  }

  /** Whether every echo so far has been answered. */
  public synchronized boolean allAnswered() {
    return received == transmitted;
  }

  /** How many went and what became of them, so far. */
  public synchronized EchoCounts counts() {
    return new EchoCounts(transmitted, received, lost, late, duplicates, reordered, corrupt);
  }

  /** All round trips so far; a copy. */
  public synchronized LatencyHistogram roundTrips() {
    LatencyHistogram copy = new LatencyHistogram();
    copy.add(roundTrips);
    return copy;
  }

  /** Round trips since this was last asked. */
  public synchronized LatencyHistogram sinceLast() {
    LatencyHistogram since = interval;
    interval = new LatencyHistogram();
    return since;
  }

  /** ping(8)'s mdev, the standard deviation of all round trips; NaN when there are none. */
  public synchronized double deviationMicros() {
    double mean = sumMicros / received;
    return received == 0
        ? Double.NaN
        : Math.sqrt(Math.max(0, sumOfSquares / received - mean * mean));
  }

  /** How many echoes are kept one by one. */
  public synchronized int kept() {
    return keeping ? (int) Math.min(transmitted, MAX_KEPT) : 0;
  }

  /** When one that is kept was sent, by this host's clock. */
  public synchronized long sentMicros(int number) {
    return keptSent[number];
  }

  /** The round trip of one that is kept; {@link #UNANSWERED} for none. */
  public synchronized long roundTripMicros(int number) {
    return keptRoundTrips[number];
  }

  private static int index(long number) {
    return (int) (number & (WINDOW - 1));
  }
}

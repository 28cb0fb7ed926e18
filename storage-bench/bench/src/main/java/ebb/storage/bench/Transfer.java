package ebb.storage.bench;

import ebb.core.attempts.Outcome;

/**
 * One operation that was kept, with how it went on.
 *
 * @param process that it belongs to, from 0
 * @param totalBytes moved in the end
 * @param atMicros when progress was seen, on the outcome's clock
 * @param bytes moved by then, as many as there are times
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once and only read
public record Transfer(
    int process, Outcome outcome, long totalBytes, long[] atMicros, long[] bytes) {
  /** Bytes moved at a time, in between by a straight line. */
  double bytesAt(long micros) {
    if (micros <= outcome.startMicros()) {
      return 0;
    }
    long fromMicros = outcome.startMicros();
    double fromBytes = 0;
    for (int i = 0; i < atMicros.length; i++) {
      if (atMicros[i] >= micros) {
        return between(fromMicros, fromBytes, atMicros[i], (double) bytes[i], micros);
      }
      // What an attempt that failed had moved does not count twice.
      fromMicros = atMicros[i];
      fromBytes = bytes[i];
    }
    return micros >= outcome.endMicros()
        ? totalBytes
        : between(fromMicros, fromBytes, outcome.endMicros(), (double) totalBytes, micros);
  }

  private static double between(
      long fromMicros, double fromBytes, long toMicros, double toBytes, long micros) {
    return toMicros <= fromMicros
        ? toBytes
        : fromBytes + (toBytes - fromBytes) * (micros - fromMicros) / (toMicros - fromMicros);
  }
}

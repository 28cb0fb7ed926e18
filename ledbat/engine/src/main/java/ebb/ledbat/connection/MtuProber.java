package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.wire.PacketWriter;

/**
 * Finds the largest datagram that the path carries (after RFC 8899's idea of probing in the packet
 * layer). It owns the search; the sender makes a probe by padding an ordinary full packet with
 * extensions that are skipped, and only to a peer that has itself sent one: to a program without
 * them the padding would be content. A lost probe is therefore sent again without its padding: the
 * search can never kill a connection, nor does its loss say anything about congestion.
 */
final class MtuProber {
  /** RFC 8899, 5.1.2: "The default value of MAX_PROBES is 3." */
  private static final int MAX_LOSSES_PER_SIZE = 3;

  /** A probe is larger than ordinary packets by its padding, at least that much. */
  private static final int MIN_STEP_BYTES = PacketWriter.MIN_PROBE_PADDING_BYTES;

  /** Sizes closer than this are not told apart: half of anything larger can be padded. */
  private static final int RESOLUTION_BYTES = 2 * MIN_STEP_BYTES;

  /**
   * After a black hole or a finished search the path is tried again. RFC 8899, 5.1.1: "This timer
   * has a period of 600 seconds, as recommended by PLPMTUD [RFC4821]."
   */
  private static final long REPEAT_MICROS = 600_000_000;

  /** Long enough that one burst of losses does not take several probes. */
  private static final long LOSS_PAUSE_MICROS = 100_000;

  /** What a path carries that does not carry more: sizes between are rare. */
  private static final int ORDINARY_BYTES = LedbatConfig.DEFAULT_MAX_DATAGRAM_BYTES;

  private static final long BLACK_HOLE_PAUSE_MICROS = 1_000_000;
  private static final int BLACK_HOLE_TIMEOUTS = 2;

  private final int minBytes;
  private final int maxBytes;
  private int confirmedBytes;
  private int failedBytes;
  private int probeBytes;
  private boolean mayPad;
  private boolean inFlight;
  private int losses;
  private int timeouts;
  private long notBeforeMicros = Long.MIN_VALUE;

  MtuProber(int minBytes, int initialBytes, int maxBytes) {
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    confirmedBytes = initialBytes;
    failedBytes = maxBytes + 1;
    choose();
  }

  /** The peer is seen to know extensions. */
  void allowPadding() {
    mayPad = true;
  }

  /** The datagram size to use for packets. */
  int datagramBytes() {
    return confirmedBytes;
  }

  /** The size of the probe to send now, 0 for none. */
  int dueBytes(long nowMicros) {
    if (!mayPad || inFlight || nowMicros < notBeforeMicros) {
      return 0;
    }
    if (probeBytes == 0 && failedBytes <= maxBytes) {
      // The pause after the last search is over: the path may carry more by now.
      failedBytes = maxBytes + 1;
      choose();
    }
    return probeBytes;
  }

  void onProbeSent() {
    inFlight = true;
  }

  void onProbeAcked(long nowMicros) {
    inFlight = false;
    losses = 0;
    timeouts = 0;
    confirmedBytes = Math.max(confirmedBytes, probeBytes);
    advance(nowMicros);
  }

  void onProbeLost(long nowMicros) {
    inFlight = false;
    if (++losses < MAX_LOSSES_PER_SIZE) {
      notBeforeMicros = nowMicros + LOSS_PAUSE_MICROS;
      return;
    }
    losses = 0;
    failedBytes = probeBytes;
    advance(nowMicros);
  }

  /** A packet of this size got through. */
  void onAcked() {
    timeouts = 0;
  }

  /**
   * A congestion timeout with full packets outstanding.
   *
   * @return whether the packet size fell: the path may have become a black hole for the old one
   */
  boolean onTimeout(long nowMicros) {
    if (++timeouts < BLACK_HOLE_TIMEOUTS || confirmedBytes == minBytes) {
      return false;
    }
    timeouts = 0;
    fallBack(nowMicros);
    return true;
  }

  /** The kernel refused a datagram of {@code bytes}: the first hop cannot carry it. */
  void onTooLarge(int bytes, long nowMicros) {
    if (inFlight && bytes == probeBytes) {
      inFlight = false;
      losses = 0;
      failedBytes = probeBytes;
      advance(nowMicros);
    } else if (bytes <= confirmedBytes && confirmedBytes > minBytes) {
      failedBytes = bytes;
      confirmedBytes = minBytes;
      advance(nowMicros);
    }
  }

  private void fallBack(long nowMicros) {
    failedBytes = confirmedBytes;
    confirmedBytes = minBytes;
    inFlight = false;
    losses = 0;
    choose();
    notBeforeMicros = nowMicros + BLACK_HOLE_PAUSE_MICROS;
  }

  private void advance(long nowMicros) {
    choose();
    notBeforeMicros = probeBytes == 0 ? nowMicros + REPEAT_MICROS : nowMicros;
  }

  private void choose() {
    if (failedBytes > maxBytes) {
      // Most paths carry the maximum: try that first.
      probeBytes = maxBytes >= confirmedBytes + MIN_STEP_BYTES ? maxBytes : 0;
    } else if (failedBytes > ORDINARY_BYTES && ORDINARY_BYTES >= confirmedBytes + MIN_STEP_BYTES) {
      probeBytes = ORDINARY_BYTES;
    } else if (failedBytes - confirmedBytes > RESOLUTION_BYTES) {
      probeBytes = (failedBytes + confirmedBytes) / 2;
    } else {
      probeBytes = 0;
    }
  }
}

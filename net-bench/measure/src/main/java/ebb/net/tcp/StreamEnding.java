package ebb.net.tcp;

import ebb.net.control.TestSpec;
import ebb.net.iperf.Iperf3Parameters;

/** How the two ends of a TCP stream know that it is over. */
enum StreamEnding {
  /** Who sends closes its half; who received closes when it has read all. */
  HALF_CLOSE,
  /** An iperf3 server is told on the control connection, when its kernel has what was sent. */
  WHEN_ACKED,
  /** An iperf3 client has told on the control connection; it reads and sends no more. */
  AT_ONCE;

  static StreamEnding atServer(TestSpec spec) {
    return Iperf3Parameters.isIperf3(spec) ? AT_ONCE : HALF_CLOSE;
  }

  static StreamEnding atClient(TestSpec spec) {
    return Iperf3Parameters.isIperf3(spec) ? WHEN_ACKED : HALF_CLOSE;
  }
}

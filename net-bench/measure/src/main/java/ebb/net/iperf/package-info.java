/**
 * iperf3's client protocol, so that Ebb's clients measure against {@code iperf3 -s} and Ebb's
 * server serves {@code iperf3 -c}: what is said on its control connection, and a translation
 * between that and Ebb's own control messages.
 */
@NullMarked
package ebb.net.iperf;

import org.jspecify.annotations.NullMarked;

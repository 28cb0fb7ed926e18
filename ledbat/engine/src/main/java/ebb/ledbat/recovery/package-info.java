/** Round-trip estimation, retransmission timer, packets in flight and loss detection. */
@NullMarked
package ebb.ledbat.recovery;

import org.jspecify.annotations.NullMarked;

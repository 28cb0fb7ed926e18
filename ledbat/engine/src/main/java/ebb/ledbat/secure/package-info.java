/**
 * Encryption and mutual authentication of a stream by a pre-shared key: Noise (revision 34),
 * pattern NNpsk0, and records. Sans-IO like the engine that it stands on.
 */
@NullMarked
package ebb.ledbat.secure;

import org.jspecify.annotations.NullMarked;

/** Streams as blocking code sees them, whatever carries them. */
@NullMarked
package ebb.ledbat.stream;

import org.jspecify.annotations.NullMarked;

/** Structured events that tests, logs and plots read. */
@NullMarked
package ebb.ledbat.trace;

import org.jspecify.annotations.NullMarked;

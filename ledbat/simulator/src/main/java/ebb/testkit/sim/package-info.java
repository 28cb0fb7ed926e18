/** Simulation: the virtual clock, its event queue and the trace digest. */
@NullMarked
package ebb.testkit.sim;

import org.jspecify.annotations.NullMarked;

/** Simulation: real LEDBAT endpoints on virtual time, with applications. */
@NullMarked
package ebb.testkit.host;

import org.jspecify.annotations.NullMarked;

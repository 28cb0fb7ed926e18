/** Simulation: models of TCP, named as models. */
@NullMarked
package ebb.testkit.tcp;

import org.jspecify.annotations.NullMarked;

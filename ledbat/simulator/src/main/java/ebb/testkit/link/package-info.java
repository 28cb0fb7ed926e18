/** Simulation: packets, links, their faults and their statistics. */
@NullMarked
package ebb.testkit.link;

import org.jspecify.annotations.NullMarked;

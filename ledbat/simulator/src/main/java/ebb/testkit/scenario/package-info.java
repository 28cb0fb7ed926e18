/** Simulation: topologies with flows, and checks on what they did. */
@NullMarked
package ebb.testkit.scenario;

import org.jspecify.annotations.NullMarked;

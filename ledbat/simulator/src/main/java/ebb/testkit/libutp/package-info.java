/** Simulation: a model of how libutp's senders behave. */
@NullMarked
package ebb.testkit.libutp;

import org.jspecify.annotations.NullMarked;

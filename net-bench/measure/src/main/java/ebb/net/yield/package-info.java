/** Whether LEDBAT yields to TCP on a real path: {@code ebb net yield} without its options. */
@NullMarked
package ebb.net.yield;

import org.jspecify.annotations.NullMarked;

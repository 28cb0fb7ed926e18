/** Ebb net-bench: many hosts, each measured against each. */
@NullMarked
package ebb.net.matrix;

import org.jspecify.annotations.NullMarked;

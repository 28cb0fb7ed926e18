/** Microbenchmarks of the engine. */
@NullMarked
package ebb.jmh;

import org.jspecify.annotations.NullMarked;

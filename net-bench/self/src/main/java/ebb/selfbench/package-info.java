/** Benchmarks of Ebb's own transport on one machine. */
@NullMarked
package ebb.selfbench;

import org.jspecify.annotations.NullMarked;

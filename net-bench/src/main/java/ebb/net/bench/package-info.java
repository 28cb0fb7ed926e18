/** Benchmarks of Ebb's own transport on one machine. */
@NullMarked
package ebb.net.bench;

import org.jspecify.annotations.NullMarked;

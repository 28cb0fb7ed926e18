/** Random and coverage-guided abuse of the engine, with one oracle for both. */
@NullMarked
package ebb.ledbat.fuzz;

import org.jspecify.annotations.NullMarked;

/** Processes beside this one, the marks that they answer, and the places where they run. */
@NullMarked
package ebb.selfbench.process;

import org.jspecify.annotations.NullMarked;

/** Other programs: their start, their output and their end. */
@NullMarked
package ebb.core.process;

import org.jspecify.annotations.NullMarked;

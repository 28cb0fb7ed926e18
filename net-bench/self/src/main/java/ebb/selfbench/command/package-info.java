/** {@code ebb bench transport}. */
@NullMarked
package ebb.selfbench.command;

import org.jspecify.annotations.NullMarked;

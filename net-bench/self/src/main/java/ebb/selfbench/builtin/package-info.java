/** The subjects that Ebb brings along. */
@NullMarked
package ebb.selfbench.builtin;

import org.jspecify.annotations.NullMarked;

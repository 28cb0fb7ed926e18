/** Storage bench: what this machine's memory reaches, beside C. */
@NullMarked
package ebb.memory;

import org.jspecify.annotations.NullMarked;

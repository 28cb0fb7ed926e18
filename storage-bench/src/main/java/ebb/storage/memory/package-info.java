/** Storage bench: what this machine's memory reaches, beside C. */
@NullMarked
package ebb.storage.memory;

import org.jspecify.annotations.NullMarked;

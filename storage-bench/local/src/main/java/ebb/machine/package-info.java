/** Storage bench: what commands that measure this machine have in common. */
@NullMarked
package ebb.machine;

import org.jspecify.annotations.NullMarked;

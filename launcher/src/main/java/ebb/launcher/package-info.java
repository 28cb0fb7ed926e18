/** Ebb. */
@NullMarked
package ebb.launcher;

import org.jspecify.annotations.NullMarked;

/** Ebb. */
@NullMarked
package ebb.ledbat;

import org.jspecify.annotations.NullMarked;

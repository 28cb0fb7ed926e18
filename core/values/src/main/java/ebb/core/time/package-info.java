/** Ebb core: time. */
@NullMarked
package ebb.core.time;

import org.jspecify.annotations.NullMarked;

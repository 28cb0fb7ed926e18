/** Ebb core: units. */
@NullMarked
package ebb.core.units;

import org.jspecify.annotations.NullMarked;

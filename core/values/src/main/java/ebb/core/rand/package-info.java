/** Ebb core: rand. */
@NullMarked
package ebb.core.rand;

import org.jspecify.annotations.NullMarked;

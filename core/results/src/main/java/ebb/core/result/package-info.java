/** Ebb core: result. */
@NullMarked
package ebb.core.result;

import org.jspecify.annotations.NullMarked;

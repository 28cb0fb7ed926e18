/** Ebb core: stats. */
@NullMarked
package ebb.core.stats;

import org.jspecify.annotations.NullMarked;

/** Ebb core: kompics. */
@NullMarked
package ebb.core.kompics;

import org.jspecify.annotations.NullMarked;

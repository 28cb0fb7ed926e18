/** Ebb core: cli. */
@NullMarked
package ebb.core.cli;

import org.jspecify.annotations.NullMarked;

/** Ebb. */
@NullMarked
package ebb.testkit;

import org.jspecify.annotations.NullMarked;

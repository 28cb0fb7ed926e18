/** Ebb. */
@NullMarked
package ebb.net;

import org.jspecify.annotations.NullMarked;

/** The seam for protocols: what one has to bring so that {@code ebb net} measures by it. */
@NullMarked
package ebb.net.mechanism;

import org.jspecify.annotations.NullMarked;

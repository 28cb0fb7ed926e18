/** {@code ebb sim}: scenarios on virtual time, judged by their own thresholds. */
@NullMarked
package ebb.testkit.command;

import org.jspecify.annotations.NullMarked;

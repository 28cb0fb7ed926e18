/** One measurement as its client makes it: flows, samples, the two ends' counts. */
@NullMarked
package ebb.net.run;

import org.jspecify.annotations.NullMarked;

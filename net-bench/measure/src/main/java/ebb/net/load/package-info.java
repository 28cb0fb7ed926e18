/** How long others' packets take while something loads the path: {@code ebb net load}. */
@NullMarked
package ebb.net.load;

import org.jspecify.annotations.NullMarked;

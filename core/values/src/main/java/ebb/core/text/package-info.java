/** Text for messages of one line. */
@NullMarked
package ebb.core.text;

import org.jspecify.annotations.NullMarked;

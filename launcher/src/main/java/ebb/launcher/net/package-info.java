/** The commands {@code ebb net}. */
@NullMarked
package ebb.launcher.net;

import org.jspecify.annotations.NullMarked;

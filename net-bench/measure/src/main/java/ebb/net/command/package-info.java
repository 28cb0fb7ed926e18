/** The commands {@code ebb net}. */
@NullMarked
package ebb.net.command;

import org.jspecify.annotations.NullMarked;

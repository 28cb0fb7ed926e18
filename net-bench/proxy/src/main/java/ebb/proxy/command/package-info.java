/** The command ebb proxy. */
@NullMarked
package ebb.proxy.command;

import org.jspecify.annotations.NullMarked;

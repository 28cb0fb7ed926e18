/** Echoes: numbered messages that are answered each for itself, and what became of them. */
@NullMarked
package ebb.net.echo;

import org.jspecify.annotations.NullMarked;

/** What the commands over LEDBAT share, and cat and key. */
@NullMarked
package ebb.ledbat.command;

import org.jspecify.annotations.NullMarked;

/** Makes a TCP connection of the kernel's a background one: a handler for Netty's channels. */
@NullMarked
package ebb.background;

import org.jspecify.annotations.NullMarked;

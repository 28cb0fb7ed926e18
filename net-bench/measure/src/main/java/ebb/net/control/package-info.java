/** The control connection's messages between a client and {@code ebb net server}. */
@NullMarked
package ebb.net.control;

import org.jspecify.annotations.NullMarked;

/** The client's side of a server: control connection, TCP and LEDBAT sources. */
@NullMarked
package ebb.net.client;

import org.jspecify.annotations.NullMarked;

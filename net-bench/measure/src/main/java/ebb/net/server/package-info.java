/** The server that clients measure against. */
@NullMarked
package ebb.net.server;

import org.jspecify.annotations.NullMarked;

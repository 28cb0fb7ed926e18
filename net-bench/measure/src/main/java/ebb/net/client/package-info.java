/** The client's side of a server: the control connection and the clocks. */
@NullMarked
package ebb.net.client;

import org.jspecify.annotations.NullMarked;

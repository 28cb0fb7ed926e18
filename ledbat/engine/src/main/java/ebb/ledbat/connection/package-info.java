/** The sans-IO state machine of one connection. */
@NullMarked
package ebb.ledbat.connection;

import org.jspecify.annotations.NullMarked;

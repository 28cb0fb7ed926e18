/** File transfer: protocol, sessions, the receiver's directory, and their Kompics components. */
@NullMarked
package ebb.files;

import org.jspecify.annotations.NullMarked;

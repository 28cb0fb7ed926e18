/** {@code ebb peer}: a stream of acknowledged 10 KB messages between two Kompics components. */
@NullMarked
package ebb.net.peer;

import org.jspecify.annotations.NullMarked;

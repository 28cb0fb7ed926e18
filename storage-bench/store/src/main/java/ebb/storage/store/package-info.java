/** Stores as blocking calls: the interface, memory and a directory. No Kompics here. */
@NullMarked
package ebb.storage.store;

import org.jspecify.annotations.NullMarked;

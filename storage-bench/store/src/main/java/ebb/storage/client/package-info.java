/** The Kompics component that provides the storage port for any store. */
@NullMarked
package ebb.storage.client;

import org.jspecify.annotations.NullMarked;

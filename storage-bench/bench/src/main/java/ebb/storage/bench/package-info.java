/** The bench: what drives any store through the storage port, and what it found. */
@NullMarked
package ebb.storage.bench;

import org.jspecify.annotations.NullMarked;

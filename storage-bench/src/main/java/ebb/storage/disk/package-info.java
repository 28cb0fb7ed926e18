/** Storage bench: what a directory's disk reaches, beside fio. */
@NullMarked
package ebb.storage.disk;

import org.jspecify.annotations.NullMarked;

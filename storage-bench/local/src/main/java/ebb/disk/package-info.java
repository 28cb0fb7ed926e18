/** Storage bench: what a directory's disk reaches, beside fio. */
@NullMarked
package ebb.disk;

import org.jspecify.annotations.NullMarked;

/** Kompics components over the engine. */
@NullMarked
package ebb.ledbat.kompics;

import org.jspecify.annotations.NullMarked;

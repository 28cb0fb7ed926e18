/** LEDBAT as a mechanism: Ebb's own transport over the Netty driver. */
@NullMarked
package ebb.net.ledbat;

import org.jspecify.annotations.NullMarked;

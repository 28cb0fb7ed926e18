/** What a user of virtual machines sees: the Kompics port, its events and values. */
@NullMarked
package ebb.vm.port;

import org.jspecify.annotations.NullMarked;

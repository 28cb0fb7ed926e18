/** What a user of storage sees: the Kompics port, its events, contents and sinks. */
@NullMarked
package ebb.storage.port;

import org.jspecify.annotations.NullMarked;

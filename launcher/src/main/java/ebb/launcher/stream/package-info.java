/** Streams of the LedbatStreams port as blocking code sees them. */
@NullMarked
package ebb.launcher.stream;

import org.jspecify.annotations.NullMarked;

/**
 * How many bytes a background TCP connection may have in flight. Sans-IO: takes the time and
 * samples, returns windows and deadlines.
 */
@NullMarked
package ebb.background.law;

import org.jspecify.annotations.NullMarked;

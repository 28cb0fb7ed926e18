/**
 * BEP 29 on the wire: header codec, extensions, serial numbers, timestamps. Knows no connection.
 */
@NullMarked
package ebb.ledbat.wire;

import org.jspecify.annotations.NullMarked;

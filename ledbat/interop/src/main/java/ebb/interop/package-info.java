/** Tools and tests for interoperation with the uTP programs of others. Not shipped. */
@NullMarked
package ebb.interop;

import org.jspecify.annotations.NullMarked;

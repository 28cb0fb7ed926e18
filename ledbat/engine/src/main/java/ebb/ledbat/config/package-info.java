/** Validated configuration whose defaults cite their source. */
@NullMarked
package ebb.ledbat.config;

import org.jspecify.annotations.NullMarked;

/** TOML files that people write, read key by key, with errors that say where. */
@NullMarked
package ebb.core.toml;

import org.jspecify.annotations.NullMarked;

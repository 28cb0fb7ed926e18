/** Pre-shared keys. */
@NullMarked
package ebb.launcher.key;

import org.jspecify.annotations.NullMarked;

/** What every Ebb module shares. */
@NullMarked
package ebb.core;

import org.jspecify.annotations.NullMarked;

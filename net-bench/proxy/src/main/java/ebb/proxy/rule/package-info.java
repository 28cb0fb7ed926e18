/** Which class a destination belongs to, and which rates hold when. */
@NullMarked
package ebb.proxy.rule;

import org.jspecify.annotations.NullMarked;

/** A run of a plan: from its file to its report, and nothing left over. */
@NullMarked
package ebb.vm.run;

import org.jspecify.annotations.NullMarked;

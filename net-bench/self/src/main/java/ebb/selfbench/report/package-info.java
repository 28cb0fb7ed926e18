/** What a run found out, for people and machines. */
@NullMarked
package ebb.selfbench.report;

import org.jspecify.annotations.NullMarked;

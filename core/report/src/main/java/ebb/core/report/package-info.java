/** Ebb core: report. */
@NullMarked
package ebb.core.report;

import org.jspecify.annotations.NullMarked;

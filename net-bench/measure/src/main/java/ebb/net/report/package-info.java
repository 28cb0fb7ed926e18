/** Runs as lines, records and pages. */
@NullMarked
package ebb.net.report;

import org.jspecify.annotations.NullMarked;

/** What files of results come to: samples, comparisons, reports. */
@NullMarked
package ebb.storage.report;

import org.jspecify.annotations.NullMarked;

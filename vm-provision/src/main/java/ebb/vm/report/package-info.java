/**
 * What tasks of a run found, as parts of the run's page: the tables that such measurements have.
 */
@NullMarked
package ebb.vm.report;

import org.jspecify.annotations.NullMarked;

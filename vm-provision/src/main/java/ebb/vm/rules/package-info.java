/** What is known of machines beforehand and no schema tells, as data with its source and date. */
@NullMarked
package ebb.vm.rules;

import org.jspecify.annotations.NullMarked;

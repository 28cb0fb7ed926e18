/** What a machine of a run does between its boot and its end, as a script and as its console. */
@NullMarked
package ebb.vm.startup;

import org.jspecify.annotations.NullMarked;

/** A cloud to try without an account: Compute Engine's API and machines that are processes here. */
@NullMarked
package ebb.vm.demo;

import org.jspecify.annotations.NullMarked;

/** The commands of {@code ebb vm}. */
@NullMarked
package ebb.vm.command;

import org.jspecify.annotations.NullMarked;

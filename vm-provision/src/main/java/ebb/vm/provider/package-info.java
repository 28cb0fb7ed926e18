/** The blocking interface that clouds are implemented behind. */
@NullMarked
package ebb.vm.provider;

import org.jspecify.annotations.NullMarked;

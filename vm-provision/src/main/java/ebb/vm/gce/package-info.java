/** Google Compute Engine, by Google's own library. Nothing else of Ebb sees that library. */
@NullMarked
package ebb.vm.gce;

import org.jspecify.annotations.NullMarked;

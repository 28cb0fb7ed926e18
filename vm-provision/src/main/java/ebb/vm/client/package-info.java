/** The Kompics component that provides the provisioning port for any provider. */
@NullMarked
package ebb.vm.client;

import org.jspecify.annotations.NullMarked;

/**
 * Machines on this one: network namespaces, or processes on loopback, behind a provider's
 * interface.
 */
@NullMarked
package ebb.vm.local;

import org.jspecify.annotations.NullMarked;

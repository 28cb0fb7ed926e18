/** Plans of VMs and firewall rules in files, and what is wrong with them. */
@NullMarked
package ebb.vm.plan;

import org.jspecify.annotations.NullMarked;

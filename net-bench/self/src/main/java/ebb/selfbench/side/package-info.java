/** The senders and receivers that are measured, each a process of its own. */
@NullMarked
package ebb.selfbench.side;

import org.jspecify.annotations.NullMarked;

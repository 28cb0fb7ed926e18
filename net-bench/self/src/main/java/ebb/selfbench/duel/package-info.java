/** Controllers against one another and against TCP, over many links: the table in docs/duels.md. */
@NullMarked
package ebb.selfbench.duel;

import org.jspecify.annotations.NullMarked;

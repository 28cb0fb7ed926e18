/** What can be measured: the interface of a subject, its samples, and what is wanted of them. */
@NullMarked
package ebb.selfbench.subject;

import org.jspecify.annotations.NullMarked;

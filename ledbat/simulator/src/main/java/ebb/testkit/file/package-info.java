/** Simulation: scenarios as data files, their checks and their outcome. */
@NullMarked
package ebb.testkit.file;

import org.jspecify.annotations.NullMarked;

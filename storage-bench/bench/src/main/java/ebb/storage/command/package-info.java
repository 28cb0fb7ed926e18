/** The commands below {@code ebb storage}. */
@NullMarked
package ebb.storage.command;

import org.jspecify.annotations.NullMarked;

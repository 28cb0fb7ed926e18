/** {@code ebb demo}: shows on any machine what Ebb is for. */
@NullMarked
package ebb.launcher.demo;

import org.jspecify.annotations.NullMarked;

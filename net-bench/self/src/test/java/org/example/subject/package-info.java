/** Subjects of somebody else's, found by {@code ServiceLoader}. */
@NullMarked
package org.example.subject;

import org.jspecify.annotations.NullMarked;

/** Requests to a service that may fail: how they are tried again, and how they end. */
@NullMarked
package ebb.core.attempts;

import org.jspecify.annotations.NullMarked;
